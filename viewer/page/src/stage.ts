// The picture: camera, lights, the shapes of the frame that is shown, labels and the color bar.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { figure, make } from "./dom";
import type { Frame } from "./history";
import { Part, type SceneCamera } from "./protocol";
import { Shape, colorOf } from "./shapes";

export type Axis = "x" | "y" | "z";

export class Stage {
    readonly element = make("div", { class: "stage" });
    private readonly renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    private readonly scene = new THREE.Scene();
    private readonly perspective = new THREE.PerspectiveCamera(45, 1, 0.01, 1000);
    private readonly orthographic = new THREE.OrthographicCamera(-1, 1, 1, -1, 0.01, 1000);
    private camera: THREE.PerspectiveCamera | THREE.OrthographicCamera = this.perspective;
    private controls: OrbitControls;
    private readonly shapes = new Map<number, Shape>();
    private readonly target = new THREE.Points(
        new THREE.BufferGeometry(),
        new THREE.PointsMaterial({ color: 0xe0218a, size: 10, sizeAttenuation: false, depthTest: false }),
    );
    private readonly lamp = new THREE.DirectionalLight(0xffffff, 2.2);
    private readonly overlay = make("canvas", { class: "overlay", "aria-hidden": "true" });
    private readonly bar = make("div", { class: "legend", hidden: true });
    private readonly plane = new THREE.Plane(new THREE.Vector3(-1, 0, 0), 0);
    private frame: Frame | null = null;
    private sceneCamera: SceneCamera | undefined;
    private fitted = false;
    private wireframe = false;
    private redraw = true;
    private clip: { axis: Axis; at: number } | null = null;
    private swipe: { from: [number, number]; to: [number, number] } | null = null;
    selected = "";
    /** Called when another frame has been drawn. */
    drawn: () => void = () => undefined;
    private isNew = false;

    constructor() {
        const canvas = this.renderer.domElement;
        canvas.setAttribute("role", "img");
        canvas.setAttribute("aria-label", "picture of the scene");
        canvas.tabIndex = 0;
        this.renderer.setPixelRatio(window.devicePixelRatio);
        this.element.append(canvas, this.overlay, this.bar);
        this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8890a0, 1.3), this.lamp, this.target);
        this.target.visible = false;
        this.target.frustumCulled = false;
        this.controls = this.follow(this.perspective);
        new ResizeObserver(() => this.resize()).observe(this.element);
        this.renderer.setAnimationLoop(() => this.render());
    }

    get canvas(): HTMLCanvasElement {
        return this.renderer.domElement;
    }

    private follow(camera: THREE.Camera): OrbitControls {
        const controls = new OrbitControls(camera, this.renderer.domElement);
        controls.addEventListener("change", () => {
            this.redraw = true;
        });
        return controls;
    }

    setBackground(color: string): void {
        this.scene.background = new THREE.Color(color);
        this.redraw = true;
    }

    setWireframe(on: boolean): void {
        this.wireframe = on;
        if (this.frame) this.show(this.frame);
    }

    /** Cuts off what is beyond a part of the box along an axis; null: nothing. */
    setClip(clip: { axis: Axis; at: number } | null): void {
        this.clip = clip;
        this.applyClip();
    }

    private applyClip(): void {
        this.renderer.clippingPlanes = [];
        const box = this.box();
        if (this.clip && !box.isEmpty()) {
            const { axis, at } = this.clip;
            this.plane.normal.set(axis === "x" ? -1 : 0, axis === "y" ? -1 : 0, axis === "z" ? -1 : 0);
            this.plane.constant = box.min[axis] + at * (box.max[axis] - box.min[axis]);
            this.renderer.clippingPlanes = [this.plane];
        }
        this.redraw = true;
    }

    show(frame: Frame): void {
        this.frame = frame;
        const look = { wireframe: this.wireframe, legend: frame.items.legend };
        const kept = new Set<number>();
        for (const item of frame.items.items) {
            let shape = this.shapes.get(item.id);
            if (shape && shape.item.kind !== item.kind) {
                this.remove(item.id, shape);
                shape = undefined;
            }
            if (!shape) {
                shape = new Shape(item, () => (this.redraw = true));
                this.shapes.set(item.id, shape);
                this.scene.add(shape.group);
            }
            shape.update(item, frame.parts.get(item.id) ?? new Map(), look);
            kept.add(item.id);
        }
        for (const [id, shape] of this.shapes) if (!kept.has(id)) this.remove(id, shape);

        this.showLegend();
        this.sceneCamera = frame.items.camera;
        if (!this.fitted && kept.size > 0) {
            this.fitted = true;
            if (!this.useSceneCamera()) this.fit();
        }
        if (this.clip) this.applyClip();
        this.redraw = this.isNew = true;
    }

    private remove(id: number, shape: Shape): void {
        shape.dispose();
        this.scene.remove(shape.group);
        this.shapes.delete(id);
    }

    private showLegend(): void {
        const legend = this.frame?.items.legend;
        this.bar.hidden = !legend;
        if (!legend) return;
        const stops = [0, 0.25, 0.5, 0.75, 1].map((t) => `rgb(${colorOf(t).map((c) => Math.round(255 * c))})`);
        const strip = make("div", { class: "strip", style: `background: linear-gradient(to right, ${stops})` });
        const ends = make(
            "div",
            { class: "ends" },
            make("span", {}, figure(legend.low)),
            make("span", {}, figure(legend.high)),
        );
        this.bar.replaceChildren(make("div", {}, legend.title), strip, ends);
    }

    // ---- camera

    private box(path = ""): THREE.Box3 {
        const box = new THREE.Box3();
        const point = new THREE.Vector3();
        for (const shape of this.shapes.values()) {
            if (path && shape.item.path !== path && !shape.item.path.startsWith(path === "/" ? "/" : `${path}/`))
                continue;
            const positions = this.frame?.parts.get(shape.item.id)?.get(Part.positions);
            const radii = this.frame?.parts.get(shape.item.id)?.get(Part.radii);
            for (let i = 0; positions && i + 2 < positions.length; i += 3) {
                point.fromArray(positions, i);
                if (!Number.isFinite(point.lengthSq())) continue;
                const r = radii?.[i / 3] ?? 0;
                box.expandByPoint(point.clone().addScalar(r)).expandByPoint(point.clone().addScalar(-r));
            }
        }
        return box;
    }

    /** All of the scene, or what is selected, along a direction from the scene to the eye. */
    fit(direction?: THREE.Vector3, path = ""): void {
        let box = this.box(path);
        if (box.isEmpty()) box = this.box();
        if (box.isEmpty()) return;
        const center = box.getCenter(new THREE.Vector3());
        const radius = Math.max(box.getSize(new THREE.Vector3()).length() / 2, 1e-6);
        const from = (direction ?? new THREE.Vector3(1, 0.6, 1.4)).clone().normalize();
        const distance = (1.1 * radius) / Math.sin((Math.PI / 360) * this.perspective.fov);
        const up = Math.abs(from.y) > 0.9 ? new THREE.Vector3(0, 0, -Math.sign(from.y)) : new THREE.Vector3(0, 1, 0);
        this.place(center.clone().addScaledVector(from, distance), center, up, radius);
    }

    private place(eye: THREE.Vector3, target: THREE.Vector3, up: THREE.Vector3, radius: number): void {
        const distance = eye.distanceTo(target);
        for (const camera of [this.perspective, this.orthographic]) {
            camera.up.copy(up);
            camera.position.copy(eye);
            camera.near = Math.max(distance, radius) / 1000;
            camera.far = 100 * Math.max(distance, radius);
            camera.lookAt(target);
        }
        this.orthographic.zoom = 1;
        this.controls.dispose();
        this.controls = this.follow(this.camera);
        this.controls.target.copy(target);
        this.controls.update();
        this.resize();
    }

    useSceneCamera(): boolean {
        const given = this.sceneCamera;
        if (!given) return false;
        this.perspective.fov = given.fieldOfView;
        const size = this.box().getSize(new THREE.Vector3()).length();
        this.place(
            new THREE.Vector3(...given.eye),
            new THREE.Vector3(...given.target),
            new THREE.Vector3(...given.up),
            Math.max(size / 2, 1e-6),
        );
        return true;
    }

    setOrthographic(on: boolean): void {
        const target = this.controls.target.clone();
        const { position: eye, up } = this.camera;
        const from = { eye: eye.clone(), up: up.clone() };
        this.camera = on ? this.orthographic : this.perspective;
        this.place(from.eye, target, from.up, from.eye.distanceTo(target) / 2);
    }

    private resize(): void {
        const width = Math.max(1, this.element.clientWidth);
        const height = Math.max(1, this.element.clientHeight);
        this.renderer.setSize(width, height);
        this.overlay.width = width;
        this.overlay.height = height;
        this.perspective.aspect = width / height;
        const half =
            this.camera.position.distanceTo(this.controls.target) * Math.tan((Math.PI / 360) * this.perspective.fov);
        this.orthographic.top = half;
        this.orthographic.bottom = -half;
        this.orthographic.left = (-half * width) / height;
        this.orthographic.right = (half * width) / height;
        this.perspective.updateProjectionMatrix();
        this.orthographic.updateProjectionMatrix();
        this.redraw = true;
        this.render(); // another size empties the canvas
    }

    /** The ray under the pointer. */
    ray(x: number, y: number): THREE.Ray {
        const bounds = this.canvas.getBoundingClientRect();
        const at = new THREE.Vector2(
            (2 * (x - bounds.left)) / bounds.width - 1,
            1 - (2 * (y - bounds.top)) / bounds.height,
        );
        const caster = new THREE.Raycaster();
        caster.setFromCamera(at, this.camera);
        return caster.ray;
    }

    /** Where the ray under the pointer meets the plane through a point that faces the eye. */
    across(x: number, y: number, point: THREE.Vector3): THREE.Vector3 | null {
        const normal = this.camera.getWorldDirection(new THREE.Vector3());
        const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, point);
        return this.ray(x, y).intersectPlane(plane, new THREE.Vector3());
    }

    /** Turning the camera with the pointer, or not. */
    setOrbit(on: boolean): void {
        this.controls.enabled = on;
    }

    /** Marks where a body is drawn to; null: nowhere. */
    setTarget(target: THREE.Vector3 | null): void {
        this.target.visible = target !== null;
        if (target) this.target.geometry.setFromPoints([target]);
        this.redraw = true;
    }

    /** The line of a cut while it is drawn; a first point of null stays, two of them end it. */
    setSwipe(from: [number, number] | null, to: [number, number] | null): void {
        const start = from ?? this.swipe?.from;
        this.swipe = start && to ? { from: start, to } : null;
        this.redraw = true;
    }

    private hits(x: number, y: number): THREE.Intersection[] {
        const caster = new THREE.Raycaster();
        caster.ray.copy(this.ray(x, y));
        const hits = caster.intersectObjects([...this.shapes.values()].map((shape) => shape.group));
        return hits.filter((hit) => hit.object instanceof THREE.Mesh);
    }

    /** The ray under the pointer, aimed at the nearest corner of the surface that it meets: where a body has its points. */
    aim(x: number, y: number): THREE.Ray {
        const ray = this.ray(x, y);
        const hit = this.hits(x, y).find(({ object, face }) => face && !(object instanceof THREE.InstancedMesh));
        if (!hit?.face) return ray;
        const positions = (hit.object as THREE.Mesh).geometry.getAttribute("position");
        const corners = [hit.face.a, hit.face.b, hit.face.c].map((i) =>
            new THREE.Vector3().fromBufferAttribute(positions, i),
        );
        corners.sort((a, b) => a.distanceTo(hit.point) - b.distanceTo(hit.point));
        if (corners[0]) ray.lookAt(corners[0]);
        return ray;
    }

    /** The first surface under the pointer: the path of its component. */
    pick(x: number, y: number): string {
        const hit = this.hits(x, y)[0];
        for (const shape of this.shapes.values()) if (hit && shape.group === hit.object.parent) return shape.item.path;
        return "";
    }

    private render(): void {
        if (!this.redraw) return;
        this.redraw = false;
        this.lamp.position
            .copy(this.camera.position)
            .add(new THREE.Vector3(0.2, 0.5, 0).multiplyScalar(this.camera.position.length()));
        this.renderer.render(this.scene, this.camera);
        this.writeLabels();
        if (this.isNew) this.drawn();
        this.isNew = false;
    }

    private writeLabels(): void {
        const pen = this.overlay.getContext("2d");
        if (!pen) return;
        pen.clearRect(0, 0, this.overlay.width, this.overlay.height);
        pen.font = "11px sans-serif";
        pen.fillStyle = getComputedStyle(this.element).color;
        if (this.swipe) {
            const { left, top } = this.overlay.getBoundingClientRect();
            pen.strokeStyle = "#e0218a";
            pen.lineWidth = 2;
            pen.beginPath();
            pen.moveTo(this.swipe.from[0] - left, this.swipe.from[1] - top);
            pen.lineTo(this.swipe.to[0] - left, this.swipe.to[1] - top);
            pen.stroke();
        }
        const point = new THREE.Vector3();
        for (const { item } of this.shapes.values()) {
            const positions = this.frame?.parts.get(item.id)?.get(Part.positions);
            if (item.kind !== "labels" || !positions) continue;
            item.labels?.forEach((label, i) => {
                point.fromArray(positions, 3 * i).project(this.camera);
                if (Math.abs(point.z) < 1)
                    pen.fillText(
                        label,
                        ((1 + point.x) / 2) * this.overlay.width,
                        ((1 - point.y) / 2) * this.overlay.height,
                    );
            });
        }
    }
}
