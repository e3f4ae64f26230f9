// Pictures of what is shown, one after the other: a video (WebM, by the browser), or PNG files in one archive.

import { make } from "./dom";

const MOST_BYTES = 512 << 20; // then a recording ends by itself
const RATE = 30; // pictures per second of a video, at most

const TABLE = new Uint32Array(256).map((_, n) => {
    for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n >>> 0;
});

function checksum(data: Uint8Array): number {
    let sum = 0xffffffff;
    for (const byte of data) sum = (TABLE[(sum ^ byte) & 255] ?? 0) ^ (sum >>> 8);
    return (sum ^ 0xffffffff) >>> 0;
}

interface Entry {
    name: Uint8Array<ArrayBuffer>;
    data: Uint8Array<ArrayBuffer>;
    at: number;
}

/** The header of an entry in an archive (ZIP, stored): the local one, or that of the directory at the end. */
function header(entry: Entry, central: boolean): Uint8Array<ArrayBuffer> {
    const out = new DataView(new ArrayBuffer(central ? 46 : 30));
    const shift = central ? 2 : 0; // a version more
    out.setUint32(0, central ? 0x02014b50 : 0x04034b50, true);
    out.setUint16(4, 20, true);
    if (central) out.setUint16(6, 20, true);
    out.setUint16(12 + shift - 2, 0, true); // time
    out.setUint16(12 + shift, 0x21, true); // 1 January 1980
    out.setUint32(14 + shift, checksum(entry.data), true);
    out.setUint32(18 + shift, entry.data.length, true);
    out.setUint32(22 + shift, entry.data.length, true);
    out.setUint16(26 + shift, entry.name.length, true);
    if (central) out.setUint32(42, entry.at, true);
    return new Uint8Array(out.buffer);
}

function archive(pictures: Uint8Array<ArrayBuffer>[]): Blob {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let at = 0;
    const push = (piece: Uint8Array<ArrayBuffer>) => {
        pieces.push(piece);
        at += piece.length;
    };
    const entries = pictures.map((data, i): Entry => {
        const name = new TextEncoder().encode(`settee_${String(i).padStart(5, "0")}.png`);
        const entry = { name, data, at };
        push(header(entry, false));
        push(name);
        push(data);
        return entry;
    });

    const start = at;
    for (const entry of entries) {
        push(header(entry, true));
        push(entry.name);
    }
    const end = new DataView(new ArrayBuffer(22));
    end.setUint32(0, 0x06054b50, true);
    end.setUint16(8, entries.length, true);
    end.setUint16(10, entries.length, true);
    end.setUint32(12, at - start, true);
    end.setUint32(16, start, true);
    push(new Uint8Array(end.buffer));
    return new Blob(pieces, { type: "application/zip" });
}

export interface Recorded {
    name: string;
    file: Blob;
    about: string;
}

export class Recorder {
    readonly format = make(
        "select",
        { "aria-label": "Format of a recording" },
        make("option", { value: "webm" }, "WebM"),
        make("option", { value: "png" }, "PNGs"),
    );
    private media: MediaRecorder | null = null;
    private chunks: Blob[] = [];
    private pictures: Promise<Uint8Array<ArrayBuffer>>[] | null = null;
    private bytes = 0;

    /** `full` is called when a recording has become too large. */
    constructor(
        private readonly canvas: HTMLCanvasElement,
        private readonly full: () => void,
    ) {}

    get running(): boolean {
        return this.media !== null || this.pictures !== null;
    }

    start(): void {
        this.chunks = [];
        this.bytes = 0;
        this.format.disabled = true;
        if (this.format.value === "png") {
            this.pictures = [];
            this.take();
            return;
        }
        if (typeof MediaRecorder === "undefined" || !MediaRecorder.isTypeSupported("video/webm")) {
            this.format.disabled = false;
            throw new Error("this browser records no WebM: choose PNGs, or use settee run --video");
        }
        const media = new MediaRecorder(this.canvas.captureStream(RATE), {
            mimeType: "video/webm",
            videoBitsPerSecond: 8e6,
        });
        media.ondataavailable = (event) => {
            this.chunks.push(event.data);
            this.grow(event.data.size);
        };
        media.start(1000);
        this.media = media;
    }

    /** A picture, each time that another frame has been drawn. */
    take(): void {
        this.pictures?.push(
            new Promise<Blob>((resolve, reject) =>
                this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture could be made")))),
            ).then(async (blob) => {
                this.grow(blob.size);
                return new Uint8Array(await blob.arrayBuffer());
            }),
        );
    }

    private grow(bytes: number): void {
        this.bytes += bytes;
        if (this.bytes > MOST_BYTES && this.running) this.full();
    }

    async stop(): Promise<Recorded> {
        this.format.disabled = false;
        const { media, pictures } = this;
        this.media = this.pictures = null;
        if (pictures) {
            const files = await Promise.all(pictures);
            return { name: "settee.zip", file: archive(files), about: `${files.length} pictures` };
        }
        if (!media) throw new Error("nothing is recorded");
        await new Promise<void>((resolve) => {
            media.onstop = () => resolve();
            media.stop();
        });
        for (const track of media.stream.getTracks()) track.stop();
        return { name: "settee.webm", file: new Blob(this.chunks, { type: "video/webm" }), about: "a video" };
    }
}
