// A recording of the frames that the page holds, as one HTML file that plays without a server: this page with the messages
// in it. The program writes the same with `settee run --html`.

import type { Frame } from "./history";
import { HEADER, type Numbers, PROTOCOL, Part, type Welcome } from "./protocol";

const MARK = "<!-- recording -->";

/** Positions in 16 bits a coordinate, relative to their box. */
function quantize(positions: Numbers): Uint8Array {
    const least = [Infinity, Infinity, Infinity];
    const most = [-Infinity, -Infinity, -Infinity];
    positions.forEach((x, i) => {
        if (!Number.isFinite(x)) return;
        least[i % 3] = Math.min(least[i % 3] ?? x, x);
        most[i % 3] = Math.max(most[i % 3] ?? x, x);
    });
    const padded = positions.length + (positions.length % 2);
    const out = new DataView(new ArrayBuffer(24 + 2 * padded));
    const low = least.map((x) => (Number.isFinite(x) ? Math.fround(x) : 0));
    const step = most.map((x, k) => (Number.isFinite(x) ? Math.fround((x - (low[k] ?? 0)) / 65535) : 0));
    for (let k = 0; k < 3; k++) {
        out.setFloat32(4 * k, low[k] ?? 0, true);
        out.setFloat32(12 + 4 * k, step[k] ?? 0, true);
    }
    positions.forEach((x, i) => {
        const s = step[i % 3] ?? 0;
        const q = Number.isFinite(x) && s > 0 ? Math.round((x - (low[i % 3] ?? 0)) / s) : 0;
        out.setUint16(24 + 2 * i, Math.min(65535, Math.max(0, q)), true);
    });
    return new Uint8Array(out.buffer);
}

function record(item: number, part: number, data: Numbers): Uint8Array {
    const payload =
        part === Part.positions ? quantize(data) : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    const widths: Record<number, number> = { 0: 3, 2: 4, 4: 3, 5: 4, 8: 6 };
    const width = widths[part] ?? 1;
    const out = new Uint8Array(HEADER + payload.length);
    const view = new DataView(out.buffer);
    view.setUint32(0, item, true);
    view.setUint16(4, part === Part.positions ? Part.quantized : part, true);
    view.setUint16(6, width, true);
    view.setUint32(8, data.length / width, true);
    view.setUint32(12, payload.length, true);
    out.set(payload, HEADER);
    return out;
}

function frameMessage(frame: Frame, before: Frame | null): Uint8Array[] {
    const header = new DataView(new ArrayBuffer(HEADER));
    header.setUint8(0, 0x53);
    header.setUint8(1, 1);
    header.setUint8(2, PROTOCOL);
    header.setUint32(4, frame.number, true);
    header.setFloat64(8, frame.time, true);
    const pieces: Uint8Array[] = [new Uint8Array(header.buffer)];
    for (const [item, parts] of frame.parts)
        for (const [part, data] of parts)
            if (before?.parts.get(item)?.get(part) !== data) pieces.push(record(item, part, data));
    return pieces;
}

/** Messages, each behind its length and kind. */
function* messages(frames: readonly Frame[], welcome: Welcome): Generator<Uint8Array> {
    const encoder = new TextEncoder();
    const framed = function* (binary: boolean, pieces: Uint8Array[]): Generator<Uint8Array> {
        const header = new Uint32Array([pieces.reduce((sum, piece) => sum + piece.length, 0), binary ? 1 : 0]);
        yield new Uint8Array(header.buffer);
        yield* pieces;
    };
    const json = (value: unknown) => framed(false, [encoder.encode(JSON.stringify(value))]);

    yield* json({ ...welcome, readOnly: true });
    let before: Frame | null = null;
    for (const frame of frames) {
        if (frame.items !== before?.items) yield* json(frame.items);
        if (frame.figures) yield* json({ ...frame.figures, playing: false });
        yield* framed(true, frameMessage(frame, before));
        before = frame;
    }
}

async function toBase64(data: Blob): Promise<string> {
    const address = await new Promise<string>((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(String(reader.result));
        reader.onerror = () => reject(reader.error ?? new Error("the recording cannot be read"));
        reader.readAsDataURL(data);
    });
    return address.slice(address.indexOf(",") + 1);
}

export async function exportPage(page: string, frames: readonly Frame[], welcome: Welcome): Promise<Blob> {
    const pieces = [...messages(frames, welcome)] as Uint8Array<ArrayBuffer>[];
    const stream = new Blob(pieces).stream().pipeThrough(new CompressionStream("deflate"));
    const text = await toBase64(await new Response(stream).blob());
    const at = page.indexOf(MARK);
    if (at < 0) throw new Error("this page has no place for a recording");
    const script = `<script type="text/plain" id="recording">${text}</script>`;
    return new Blob([page.slice(0, at), script, page.slice(at + MARK.length)], { type: "text/html" });
}
