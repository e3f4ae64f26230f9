// The items of a frame as objects of three.js. An object is kept while its item has the same kind; only arrays that are
// others than before are taken over.

import * as THREE from "three";
import { type Item, type Legend, Part, type Parts } from "./protocol";

/** Blue, cyan, green, yellow, red: the colors of the bar, 0 to 1. */
export function colorOf(t: number): [number, number, number] {
    const x = 4 * Math.min(1, Math.max(0, t));
    if (x < 1) return [0, x, 1];
    if (x < 2) return [0, 1, 2 - x];
    if (x < 3) return [x - 2, 1, 0];
    return [1, 4 - x, 0];
}

function toLinear(rgb: readonly [number, number, number], out: Float32Array, at: number): void {
    const color = new THREE.Color().setRGB(rgb[0], rgb[1], rgb[2], THREE.SRGBColorSpace);
    out[at] = color.r;
    out[at + 1] = color.g;
    out[at + 2] = color.b;
}

const disc = (() => {
    let texture: THREE.Texture | null = null;
    return () => {
        if (texture) return texture;
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 64;
        const pen = canvas.getContext("2d");
        if (pen) {
            pen.fillStyle = "white";
            pen.arc(32, 32, 30, 0, 2 * Math.PI);
            pen.fill();
        }
        texture = new THREE.CanvasTexture(canvas);
        return texture;
    };
})();

export interface Look {
    wireframe: boolean;
    legend: Legend | undefined;
}

export class Shape {
    readonly group = new THREE.Group();
    private seen = new Map<number, unknown>();
    private text = "";
    private wireframe = false;

    constructor(public item: Item) {}

    /** Brings the shape up to date. */
    update(item: Item, parts: Parts, look: Look): void {
        const text = JSON.stringify([item.color, item.size, item.edges, item.flat, item.perElement, look.legend]);
        const same = text === this.text && look.wireframe === this.wireframe;
        const changed = [...parts].filter(([part, data]) => this.seen.get(part) !== data).map(([part]) => part);
        this.item = item;
        if (same && changed.length === 0) return;

        // moving points keep everything else
        const mesh = this.group.children[0];
        const moved = same && changed.every((part) => part === Part.positions) && mesh !== undefined;
        if (!(moved && this.move(parts))) this.build(item, parts, look);
        this.seen = new Map(parts);
        this.text = text;
        this.wireframe = look.wireframe;
    }

    dispose(): void {
        this.group.traverse((object) => {
            if (
                object instanceof THREE.Mesh ||
                object instanceof THREE.LineSegments ||
                object instanceof THREE.Points
            ) {
                (object.geometry as THREE.BufferGeometry).dispose();
                (object.material as THREE.Material).dispose();
            }
            if (object instanceof THREE.InstancedMesh) object.dispose();
        });
        this.group.clear();
    }

    private positions(parts: Parts): Float32Array {
        return (parts.get(Part.positions) as Float32Array | undefined) ?? new Float32Array();
    }

    private indices(parts: Parts): Uint32Array {
        return (parts.get(Part.indices) as Uint32Array | undefined) ?? new Uint32Array();
    }

    /** Only positions changed; false: the shape has to be built again. */
    private move(parts: Parts): boolean {
        const kinds = ["triangles", "lines", "points"];
        if (!kinds.includes(this.item.kind)) return false;
        const positions = this.positions(parts);
        for (const child of this.group.children) {
            const geometry = (child as THREE.Mesh).geometry;
            const attribute = geometry.getAttribute("position") as THREE.BufferAttribute;
            const corners = geometry.userData["corners"] as Uint32Array | undefined;
            if (!corners && attribute.array.length !== positions.length) return false;
            if (corners) {
                for (let i = 0; i < corners.length; i++)
                    for (let k = 0; k < 3; k++) attribute.array[3 * i + k] = positions[3 * (corners[i] ?? 0) + k] ?? 0;
            } else attribute.array.set(positions);
            attribute.needsUpdate = true;
            if (child instanceof THREE.Mesh) geometry.computeVertexNormals();
            geometry.computeBoundingSphere();
        }
        return true;
    }

    private material<T extends THREE.Material & { color: THREE.Color }>(material: T): T {
        const [r, g, b, a] = this.item.color;
        material.color.setRGB(r, g, b, THREE.SRGBColorSpace);
        material.opacity = a;
        material.transparent = a < 1;
        material.depthWrite = a >= 1;
        return material;
    }

    private build(item: Item, parts: Parts, look: Look): void {
        this.dispose();
        switch (item.kind) {
            case "triangles":
                return this.buildTriangles(parts, look);
            case "lines":
                return this.buildLines(parts, look);
            case "points":
                return this.buildPoints(parts, look);
            case "spheres":
                return this.buildSpheres(parts, look);
            case "arrows":
                return this.buildArrows(parts);
            case "frames":
                return this.buildFrames(parts);
            case "labels":
                return; // drawn over the picture
        }
    }

    /** Colors of elements or points, linear; null: one color for all. */
    private colors(parts: Parts, look: Look): { values: Float32Array; perElement: boolean } | null {
        const scalars = parts.get(Part.scalars);
        const colors = parts.get(Part.colors);
        const plain: [number, number, number] = [this.item.color[0], this.item.color[1], this.item.color[2]];
        if (scalars?.length && look.legend) {
            const { low, high } = look.legend;
            const values = new Float32Array(3 * scalars.length);
            scalars.forEach((value, i) => {
                const t = high > low ? (value - low) / (high - low) : 0.5;
                toLinear(Number.isNaN(value) ? plain : colorOf(t), values, 3 * i);
            });
            return { values, perElement: this.item.perElement };
        }
        if (!colors?.length) return null;
        const values = new Float32Array((3 * colors.length) / 4);
        for (let i = 0; 4 * i < colors.length; i++)
            toLinear([colors[4 * i] ?? 0, colors[4 * i + 1] ?? 0, colors[4 * i + 2] ?? 0], values, 3 * i);
        return { values, perElement: true };
    }

    /** Points with indices; where elements have colors each corner is a point of its own. */
    private geometry(parts: Parts, look: Look, width: number): { geometry: THREE.BufferGeometry; colored: boolean } {
        const positions = this.positions(parts);
        const indices = this.indices(parts);
        const colors = this.colors(parts, look);
        const geometry = new THREE.BufferGeometry();
        if (!colors?.perElement || indices.length === 0) {
            geometry.setAttribute("position", new THREE.BufferAttribute(positions.slice(), 3));
            if (indices.length) geometry.setIndex(new THREE.BufferAttribute(indices, 1));
            if (colors) geometry.setAttribute("color", new THREE.BufferAttribute(colors.values, 3));
            return { geometry, colored: colors !== null };
        }

        const spread = new Float32Array(3 * indices.length);
        const painted = new Float32Array(3 * indices.length);
        for (let i = 0; i < indices.length; i++)
            for (let k = 0; k < 3; k++) {
                spread[3 * i + k] = positions[3 * (indices[i] ?? 0) + k] ?? 0;
                painted[3 * i + k] = colors.values[3 * Math.floor(i / width) + k] ?? 0;
            }
        geometry.setAttribute("position", new THREE.BufferAttribute(spread, 3));
        geometry.setAttribute("color", new THREE.BufferAttribute(painted, 3));
        geometry.userData["corners"] = indices;
        return { geometry, colored: true };
    }

    private buildTriangles(parts: Parts, look: Look): void {
        const { geometry, colored } = this.geometry(parts, look, 3);
        geometry.computeVertexNormals();
        const material = this.material(
            new THREE.MeshStandardMaterial({
                side: THREE.DoubleSide,
                roughness: 0.65,
                metalness: 0,
                flatShading: this.item.flat || this.item.edges,
                wireframe: look.wireframe,
                vertexColors: colored,
                polygonOffset: true,
                polygonOffsetFactor: 1,
                polygonOffsetUnits: 1,
            }),
        );
        if (colored) material.color.set(0xffffff);
        this.group.add(new THREE.Mesh(geometry, material));
        if (this.item.edges && !look.wireframe) this.group.add(this.sides(parts));
    }

    /** Each side of a triangle once, thin and dark. */
    private sides(parts: Parts): THREE.LineSegments {
        const indices = this.indices(parts);
        const count = this.positions(parts).length / 3;
        const marks = parts.get(Part.sides);
        const known = new Set<number>();
        const pairs: number[] = [];
        for (let i = 0; i < indices.length; i++) {
            const a = indices[i] ?? 0;
            const b = indices[i % 3 === 2 ? i - 2 : i + 1] ?? 0;
            const key = Math.min(a, b) * count + Math.max(a, b);
            const marked = !marks?.length || ((marks[Math.floor(i / 3)] ?? 0) >> (i % 3)) & 1;
            if (!marked || known.has(key)) continue;
            known.add(key);
            pairs.push(a, b);
        }
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(this.positions(parts).slice(), 3));
        geometry.setIndex(pairs);
        return new THREE.LineSegments(
            geometry,
            new THREE.LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.35 }),
        );
    }

    private buildLines(parts: Parts, look: Look): void {
        const { geometry, colored } = this.geometry(parts, look, 2);
        const material = this.material(new THREE.LineBasicMaterial({ vertexColors: colored }));
        if (colored) material.color.set(0xffffff);
        this.group.add(new THREE.LineSegments(geometry, material));
    }

    private buildPoints(parts: Parts, look: Look): void {
        const { geometry, colored } = this.geometry(parts, look, 1);
        const material = this.material(
            new THREE.PointsMaterial({
                size: 2 * Math.max(1, this.item.size) * window.devicePixelRatio,
                sizeAttenuation: false,
                map: disc(),
                alphaTest: 0.5,
                vertexColors: colored,
            }),
        );
        if (colored) material.color.set(0xffffff);
        this.group.add(new THREE.Points(geometry, material));
    }

    private buildSpheres(parts: Parts, look: Look): void {
        const positions = this.positions(parts);
        const radii = parts.get(Part.radii);
        const colors = this.colors(parts, look);
        const count = positions.length / 3;
        const material = this.material(new THREE.MeshStandardMaterial({ roughness: 0.65 }));
        const mesh = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 20, 14), material, count);
        const matrix = new THREE.Matrix4();
        if (colors) material.color.set(0xffffff);
        for (let i = 0; i < count; i++) {
            const r = radii?.[i] ?? 1;
            matrix
                .makeScale(r, r, r)
                .setPosition(positions[3 * i] ?? 0, positions[3 * i + 1] ?? 0, positions[3 * i + 2] ?? 0);
            mesh.setMatrixAt(i, matrix);
            if (colors) mesh.setColorAt(i, new THREE.Color().fromArray(colors.values, 3 * i));
        }
        this.group.add(mesh);
    }

    /** A shaft and a head for each. */
    private buildArrows(parts: Parts): void {
        const positions = this.positions(parts);
        const vectors = (parts.get(Part.vectors) as Float32Array | undefined) ?? new Float32Array(positions.length);
        const count = positions.length / 3;
        const shafts = new Float32Array(2 * positions.length);
        const heads = new THREE.InstancedMesh(
            new THREE.ConeGeometry(0.35, 1, 10).translate(0, -0.5, 0),
            this.material(new THREE.MeshStandardMaterial()),
            count,
        );
        const matrix = new THREE.Matrix4();
        const up = new THREE.Vector3(0, 1, 0);
        for (let i = 0; i < count; i++) {
            const from = new THREE.Vector3().fromArray(positions, 3 * i);
            const along = new THREE.Vector3().fromArray(vectors, 3 * i);
            const to = from.clone().add(along);
            from.toArray(shafts, 6 * i);
            to.toArray(shafts, 6 * i + 3);
            const size = 0.25 * along.length();
            const turn = new THREE.Quaternion().setFromUnitVectors(up, along.clone().normalize());
            matrix.compose(to, turn, new THREE.Vector3(size, size, size));
            heads.setMatrixAt(i, matrix);
        }
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(shafts, 3));
        this.group.add(new THREE.LineSegments(geometry, this.material(new THREE.LineBasicMaterial())), heads);
    }

    private buildFrames(parts: Parts): void {
        const positions = this.positions(parts);
        const turns = (parts.get(Part.quaternions) as Float32Array | undefined) ?? new Float32Array();
        const count = positions.length / 3;
        const ends = new Float32Array(18 * count);
        const colors = new Float32Array(18 * count);
        for (let i = 0; i < count; i++)
            for (let axis = 0; axis < 3; axis++) {
                const from = new THREE.Vector3().fromArray(positions, 3 * i);
                const turn = turns.length ? new THREE.Quaternion().fromArray(turns, 4 * i) : new THREE.Quaternion();
                const along = new THREE.Vector3().setComponent(axis, this.item.size).applyQuaternion(turn);
                from.toArray(ends, 18 * i + 6 * axis);
                from.clone()
                    .add(along)
                    .toArray(ends, 18 * i + 6 * axis + 3);
                colors[18 * i + 6 * axis + axis] = colors[18 * i + 6 * axis + 3 + axis] = 0.9;
            }
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(ends, 3));
        geometry.setAttribute("color", new THREE.BufferAttribute(colors, 3));
        this.group.add(new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true })));
    }
}
