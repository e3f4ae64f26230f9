// The items of a frame as objects of three.js. An object is kept while its item has the same kind; only arrays that are
// others than before are taken over.

import * as THREE from "three";
import { type Item, type Legend, type Numbers, Part, type Parts } from "./protocol";

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

/** Normals of points, the sum of those of their triangles; of corners that are points of their own where `spread` is set. */
function addNormals(positions: Numbers, indices: Numbers, spread: boolean, out: Float32Array): void {
    const points = spread ? new Float32Array(positions.length) : out.fill(0);
    for (let t = 0; t + 2 < indices.length; t += 3) {
        const a = 3 * indices[t]!;
        const b = 3 * indices[t + 1]!;
        const c = 3 * indices[t + 2]!;
        const [ax, ay, az] = [positions[a]!, positions[a + 1]!, positions[a + 2]!];
        const [ux, uy, uz] = [positions[b]! - ax, positions[b + 1]! - ay, positions[b + 2]! - az];
        const [vx, vy, vz] = [positions[c]! - ax, positions[c + 1]! - ay, positions[c + 2]! - az];
        const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
        for (const at of [a, b, c]) {
            points[at]! += x;
            points[at + 1]! += y;
            points[at + 2]! += z;
        }
    }
    for (let i = 0; i + 2 < points.length; i += 3) {
        const [x, y, z] = [points[i]!, points[i + 1]!, points[i + 2]!];
        const length = Math.sqrt(x * x + y * y + z * z) || 1;
        points[i] = x / length;
        points[i + 1] = y / length;
        points[i + 2] = z / length;
    }
    if (spread) spreadOut(points, indices, out);
}

/** Three numbers of a point for each of its corners. */
function spreadOut(points: Numbers, corners: Numbers, out: Float32Array): void {
    for (let i = 0; i < corners.length; i++) {
        const from = 3 * corners[i]!;
        out[3 * i] = points[from]!;
        out[3 * i + 1] = points[from + 1]!;
        out[3 * i + 2] = points[from + 2]!;
    }
}

/** The image of a part: its first word is the number of bytes that follow. null: it has none. */
function readImage(words: Numbers | undefined, done: () => void): THREE.Texture | null {
    if (!words || words.length < 2) return null;
    const bytes = new Uint8Array(
        words.buffer,
        words.byteOffset + 4,
        new Uint32Array(words.buffer, words.byteOffset, 1)[0],
    );
    const address = URL.createObjectURL(new Blob([bytes.slice()]));
    const texture = new THREE.TextureLoader().load(address, () => (URL.revokeObjectURL(address), done()));
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    return texture;
}

export interface Look {
    wireframe: boolean;
    legend: Legend | undefined;
}

export class Shape {
    readonly group = new THREE.Group();
    private seen = new Map<number, unknown>();
    private text = "";
    private legend: Legend | undefined;
    private wireframe = false;
    private image: Numbers | undefined;
    private texture: THREE.Texture | null = null;

    /** `changed` is called when the shape looks different without an update: an image has been read. */
    constructor(
        public item: Item,
        private readonly changed: () => void,
    ) {}

    /** Brings the shape up to date. */
    update(item: Item, parts: Parts, look: Look): void {
        const known = item === this.item && look.legend === this.legend && this.text !== "";
        this.legend = look.legend;
        const text = known
            ? this.text
            : JSON.stringify([item.color, item.size, item.edges, item.flat, item.perElement, look.legend]);
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
        this.clear();
        this.texture?.dispose();
    }

    private clear(): void {
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
            const corners = geometry.userData["corners"] as Numbers | undefined;
            if (!corners && attribute.array.length !== positions.length) return false;
            if (corners) spreadOut(positions, corners, attribute.array as Float32Array);
            else attribute.array.set(positions);
            attribute.needsUpdate = true;

            const normals = geometry.getAttribute("normal") as THREE.BufferAttribute | undefined;
            if (normals) {
                addNormals(positions, this.indices(parts), corners !== undefined, normals.array as Float32Array);
                normals.needsUpdate = true;
            }
            geometry.boundingSphere = null; // found again when something is picked
        }
        return true;
    }

    /** Objects whose points move have no box that could be tested against the view. */
    private add(object: THREE.Object3D): void {
        object.frustumCulled = false;
        this.group.add(object);
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
        this.clear();
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

    /** Points with indices; where elements have colors, or corners places in an image, each corner is a point of its own. */
    private geometry(parts: Parts, look: Look, width: number): { geometry: THREE.BufferGeometry; colored: boolean } {
        const positions = this.positions(parts);
        const indices = this.indices(parts);
        const colors = this.colors(parts, look);
        const places = this.texture && parts.get(Part.texcoords);
        const geometry = new THREE.BufferGeometry();
        if (!(colors?.perElement || places) || indices.length === 0) {
            geometry.setAttribute("position", new THREE.BufferAttribute(positions.slice(), 3));
            if (indices.length) geometry.setIndex(new THREE.BufferAttribute(indices, 1));
            if (colors) geometry.setAttribute("color", new THREE.BufferAttribute(colors.values, 3));
            return { geometry, colored: colors !== null };
        }

        const spread = new Float32Array(3 * indices.length);
        spreadOut(positions, indices, spread);
        geometry.setAttribute("position", new THREE.BufferAttribute(spread, 3));
        geometry.userData["corners"] = indices;
        if (places) geometry.setAttribute("uv", new THREE.BufferAttribute(places, 2));
        if (!colors) return { geometry, colored: false };

        const painted = new Float32Array(3 * indices.length);
        const owners = colors.perElement ? indices.map((_, i) => Math.floor(i / width)) : indices;
        spreadOut(colors.values, owners, painted);
        geometry.setAttribute("color", new THREE.BufferAttribute(painted, 3));
        return { geometry, colored: true };
    }

    /** The texture is kept while its image is the same. */
    private takeTexture(parts: Parts): void {
        const image = parts.get(Part.image);
        if (image === this.image) return;
        this.texture?.dispose();
        this.image = image;
        this.texture = readImage(image, this.changed);
    }

    private buildTriangles(parts: Parts, look: Look): void {
        this.takeTexture(parts);
        const { geometry, colored } = this.geometry(parts, look, 3);
        const spread = geometry.userData["corners"] !== undefined;
        const normals = new Float32Array(geometry.getAttribute("position").array.length);
        addNormals(this.positions(parts), this.indices(parts), spread, normals);
        geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
        const textured = geometry.hasAttribute("uv") && !look.legend;
        const material = this.material(
            new THREE.MeshStandardMaterial({
                side: THREE.DoubleSide,
                roughness: 0.65,
                metalness: 0,
                flatShading: this.item.flat || this.item.edges,
                wireframe: look.wireframe,
                vertexColors: colored,
                map: textured ? this.texture : null,
                polygonOffset: true,
                polygonOffsetFactor: 1,
                polygonOffsetUnits: 1,
            }),
        );
        if (colored || textured) material.color.set(0xffffff);
        this.add(new THREE.Mesh(geometry, material));
        if (this.item.edges && !look.wireframe) this.add(this.sides(parts));
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
        this.add(new THREE.LineSegments(geometry, material));
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
        this.add(new THREE.Points(geometry, material));
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
