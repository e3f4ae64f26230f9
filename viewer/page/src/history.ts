// The frames that the page has seen, in bounded memory: arrays that did not change are shared between frames.

import type { Figures, FrameMessage, Items, Parts } from "./protocol";

export interface Frame {
    number: number;
    time: number;
    items: Items;
    parts: ReadonlyMap<number, Parts>;
    figures: Figures | null;
    bytes: number;
}

export class History {
    readonly frames: Frame[] = [];
    private bytes = 0;
    private base: Frame | undefined;

    constructor(private readonly mostBytes: number) {}

    get last(): Frame | undefined {
        return this.frames[this.frames.length - 1];
    }

    add(message: FrameMessage, items: Items, figures: Figures | null): Frame {
        const before = (this.last ?? this.base)?.parts ?? new Map<number, Parts>();
        const parts = new Map<number, Parts>();
        for (const item of items.items) {
            const old = before.get(item.id);
            if (old) parts.set(item.id, old);
        }

        let bytes = 0;
        const fresh = new Map<number, Map<number, Float32Array | Uint32Array>>();
        for (const record of message.records) {
            let arrays = fresh.get(record.item);
            if (!arrays) {
                arrays = new Map(parts.get(record.item) ?? []);
                fresh.set(record.item, arrays);
                parts.set(record.item, arrays);
            }
            arrays.set(record.part, record.data);
            bytes += record.data.byteLength;
        }

        const frame: Frame = { number: message.number, time: message.time, items, parts, figures, bytes };
        this.frames.push(frame);
        this.bytes += bytes;
        while (this.bytes > this.mostBytes && this.frames.length > 1) this.bytes -= this.frames.shift()?.bytes ?? 0;
        return frame;
    }

    clear(): void {
        // the next message holds only what changed since the last frame
        this.base = this.last ?? this.base;
        this.frames.length = 0;
        this.bytes = 0;
    }

    forget(): void {
        this.base = undefined;
        this.frames.length = 0;
        this.bytes = 0;
    }
}
