// The protocol between page and server (docs/viewer.md): messages in JSON, frames and matrices in binary.

export const PROTOCOL = 1;

export interface Item {
    id: number;
    kind: "points" | "spheres" | "lines" | "triangles" | "arrows" | "frames" | "labels";
    show: string;
    path: string;
    class: string;
    color: [number, number, number, number];
    size: number;
    edges: boolean;
    flat: boolean;
    perElement: boolean;
    labels?: string[];
}

export interface Legend {
    title: string;
    low: number;
    high: number;
}

export interface SceneCamera {
    eye: [number, number, number];
    target: [number, number, number];
    up: [number, number, number];
    fieldOfView: number;
}

export interface Watched {
    path: string;
    field: string;
    index: number;
    value: number | null;
}

export interface Welcome {
    type: "welcome";
    protocol: number;
    settee: string;
    readOnly: boolean;
}

export interface Items {
    type: "items";
    items: Item[];
    legend?: Legend;
    camera?: SceneCamera;
}

export interface Figures {
    type: "figures";
    scene: string;
    time: number;
    dt: number;
    step: number;
    playing: boolean;
    speed: number;
    failure: string;
    structure: number;
    kinetic: number | null;
    potential: number | null;
    contacts: number;
    busy: number;
    profile: Record<string, number>;
    solvers?: { path: string; iterations: number; residual: number | null }[];
    watched: Watched[];
    shown: string[];
    color: string;
    pages: number;
}

export interface Message {
    type: "message";
    severity: string;
    file: string | null;
    line: number;
    path: string | null;
    component: string | null;
    text: string;
}

export interface Answer {
    type: "answer";
    id: number;
    ok: boolean;
    error?: string;
}

export type Control = Welcome | Items | Figures | Message | Answer | { type: "cleared" };

export interface SceneObject {
    name: string;
    class: string;
    template: string;
    kind: string;
    path: string;
    valid: boolean;
}

export interface SceneNode {
    name: string;
    path: string;
    depth: number;
    objects: SceneObject[];
}

export interface Field {
    name: string;
    type: string;
    help: string;
    default: string;
    live: string;
    from: string;
    output: boolean;
    number: boolean;
    count: number;
    value: string;
    cut: boolean;
    set: boolean;
    source?: string;
    sourceField?: string;
    target?: string;
    options?: string[];
}

export interface GraphAnswer extends Answer {
    structure: number;
    nodes: SceneNode[];
}

export interface FieldsAnswer extends Answer {
    path: string;
    name: string;
    class: string;
    template: string;
    file: string | null;
    line: number;
    fields: Field[];
}

export interface SetAnswer extends Answer {
    value: string;
}

export interface XmlAnswer extends Answer {
    xml: string;
}

export interface PickAnswer extends Answer {
    path: string;
    point: [number, number, number];
}

export interface MatrixAnswer extends Answer {
    matrixRows: number;
    matrixColumns: number;
    row: number;
    rows: number;
    column: number;
    columns: number;
    height: number;
    width: number;
    since?: number;
    rowNames?: string[];
    columnNames?: string[];
}

export interface KeepAnswer extends Answer {
    time: number;
}

export interface FiguresAnswer extends Answer {
    matrixRows: number;
    matrixColumns: number;
    entries: number;
    norm: number;
    symmetric: boolean;
    bandwidth: number;
    zeroRows: number;
    factored: boolean;
    positive: number;
    negative: number;
    condition: number | null;
}

// ---- frames

export const Part = {
    positions: 0,
    indices: 1,
    colors: 2,
    scalars: 3,
    vectors: 4,
    quaternions: 5,
    radii: 6,
    sides: 7,
    texcoords: 8,
    image: 9,
    quantized: 16,
} as const;

export type Numbers = Float32Array | Uint32Array;
/** The arrays of one item, by their part. */
export type Parts = ReadonlyMap<number, Numbers>;

export interface Record16 {
    item: number;
    part: number;
    data: Numbers;
}

export interface FrameMessage {
    number: number;
    time: number;
    records: Record16[];
}

export interface MatrixMessage {
    id: number;
    height: number;
    width: number;
    cells: Float32Array;
}

export const HEADER = 16;

/** The kind of a binary message: 1 is a frame, 2 a matrix. Anything else is an error. */
export function binaryKind(data: ArrayBuffer): number {
    const bytes = new Uint8Array(data);
    if (data.byteLength < HEADER || bytes[0] !== 0x53 || bytes[2] !== PROTOCOL)
        throw new Error("a message is not of this protocol");
    return bytes[1] ?? 0;
}

function dequantize(view: DataView, offset: number, count: number): Float32Array {
    const least = [0, 4, 8].map((k) => view.getFloat32(offset + k, true));
    const step = [12, 16, 20].map((k) => view.getFloat32(offset + k, true));
    const out = new Float32Array(3 * count);
    for (let i = 0; i < out.length; i++)
        out[i] = (least[i % 3] ?? 0) + (step[i % 3] ?? 0) * view.getUint16(offset + 24 + 2 * i, true);
    return out;
}

export function readFrame(data: ArrayBuffer): FrameMessage {
    const view = new DataView(data);
    const frame: FrameMessage = { number: view.getUint32(4, true), time: view.getFloat64(8, true), records: [] };
    for (let at = HEADER; at < data.byteLength;) {
        const item = view.getUint32(at, true);
        const part = view.getUint16(at + 4, true);
        const width = view.getUint16(at + 6, true);
        const count = view.getUint32(at + 8, true);
        const bytes = view.getUint32(at + 12, true);
        const start = at + HEADER;
        if (start + bytes > data.byteLength) throw new Error("a frame is cut");
        if (part === Part.quantized)
            frame.records.push({ item, part: Part.positions, data: dequantize(view, start, count) });
        else if (part === Part.indices || part === Part.sides || part === Part.image)
            frame.records.push({ item, part, data: new Uint32Array(data, start, width * count) });
        else frame.records.push({ item, part, data: new Float32Array(data, start, width * count) });
        at = start + bytes;
    }
    return frame;
}

export function readMatrix(data: ArrayBuffer): MatrixMessage {
    const view = new DataView(data);
    const height = view.getUint32(8, true);
    const width = view.getUint32(12, true);
    return { id: view.getUint32(4, true), height, width, cells: new Float32Array(data, HEADER, height * width) };
}
