// How messages come to the page: from a server, or from a recording inside of the page. The rest of the page does not know
// which one it is, so that another one (a worker) can take their place.

import {
    type Answer,
    type Control,
    type FrameMessage,
    type MatrixMessage,
    PROTOCOL,
    binaryKind,
    readFrame,
    readMatrix,
} from "./protocol";

export interface Receiver {
    control(message: Exclude<Control, Answer>): void;
    frame(frame: FrameMessage): void;
    /** Connected or not, and why. */
    state(connected: boolean, text: string): void;
}

export type Command = { do: string } & Record<string, string | number | boolean>;

export interface Transport {
    /** Whether there is a scene behind it that can be asked. */
    readonly live: boolean;
    start(receiver: Receiver): void;
    /** The answer, also when it says that the command failed; rejected when there is no connection. */
    ask<T extends Answer>(command: Command): Promise<T>;
    /** A matrix: the answer and its cells. */
    askMatrix<T extends Answer>(command: Command): Promise<[T, MatrixMessage | null]>;
}

interface Waiting {
    resolve(answer: Answer, cells: MatrixMessage | null): void;
    reject(reason: Error): void;
    cells: boolean;
    answer?: Answer;
}

export class SocketTransport implements Transport {
    readonly live = true;
    private socket: WebSocket | null = null;
    private receiver: Receiver | null = null;
    private waiting = new Map<number, Waiting>();
    private lastId = 0;
    private delay = 250;

    constructor(private readonly address: string) {}

    start(receiver: Receiver): void {
        this.receiver = receiver;
        this.connect();
    }

    private connect(): void {
        const socket = new WebSocket(this.address, `settee-${PROTOCOL}`);
        socket.binaryType = "arraybuffer";
        this.socket = socket;
        socket.onopen = () => {
            this.delay = 250;
            this.receiver?.state(true, "connected");
        };
        socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => this.receive(event.data);
        socket.onclose = () => {
            for (const waiting of this.waiting.values()) waiting.reject(new Error("the connection was lost"));
            this.waiting.clear();
            this.receiver?.state(false, "no connection: trying again");
            window.setTimeout(() => this.connect(), this.delay);
            this.delay = Math.min(2 * this.delay, 4000);
        };
    }

    private receive(data: string | ArrayBuffer): void {
        if (typeof data !== "string") {
            if (binaryKind(data) === 1) this.receiver?.frame(readFrame(data));
            else this.finish(readMatrix(data));
            return;
        }
        const message = JSON.parse(data) as Control;
        if (message.type !== "answer") {
            this.receiver?.control(message);
            return;
        }
        const waiting = this.waiting.get(message.id);
        if (!waiting) return;
        if (waiting.cells && message.ok) {
            waiting.answer = message;
            return;
        }
        this.waiting.delete(message.id);
        waiting.resolve(message, null);
    }

    private finish(cells: MatrixMessage): void {
        const waiting = this.waiting.get(cells.id);
        if (!waiting?.answer) return;
        this.waiting.delete(cells.id);
        waiting.resolve(waiting.answer, cells);
    }

    private send<R>(command: Command, cells: boolean, pick: (a: Answer, c: MatrixMessage | null) => R): Promise<R> {
        return new Promise((resolve, reject) => {
            if (this.socket?.readyState !== WebSocket.OPEN) {
                reject(new Error("there is no connection"));
                return;
            }
            const id = ++this.lastId;
            this.waiting.set(id, { cells, reject, resolve: (a, c) => resolve(pick(a, c)) });
            this.socket.send(JSON.stringify({ ...command, id }));
        });
    }

    ask<T extends Answer>(command: Command): Promise<T> {
        return this.send(command, false, (answer) => answer as T);
    }

    askMatrix<T extends Answer>(command: Command): Promise<[T, MatrixMessage | null]> {
        return this.send(command, true, (answer, cells) => [answer as T, cells]);
    }
}

/** A recording: the same messages one after the other, each behind its length and kind, deflated and in base64. */
export class RecordingTransport implements Transport {
    readonly live = false;

    constructor(private readonly text: string) {}

    start(receiver: Receiver): void {
        this.play(receiver).catch((error: unknown) => receiver.state(false, `the recording cannot be read: ${error}`));
    }

    private async play(receiver: Receiver): Promise<void> {
        const packed = Uint8Array.from(atob(this.text.trim()), (c) => c.charCodeAt(0));
        const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
        const data = await new Response(stream).arrayBuffer();
        const view = new DataView(data);
        const decoder = new TextDecoder();

        receiver.state(true, "recording");
        for (let at = 0; at + 8 <= data.byteLength;) {
            const length = view.getUint32(at, true);
            const binary = view.getUint32(at + 4, true) === 1;
            const message = data.slice(at + 8, at + 8 + length);
            if (binary) receiver.frame(readFrame(message));
            else receiver.control(JSON.parse(decoder.decode(message)) as Exclude<Control, Answer>);
            at += 8 + length;
        }
    }

    ask<T extends Answer>(): Promise<T> {
        return Promise.reject(new Error("a recording cannot be asked"));
    }

    askMatrix<T extends Answer>(): Promise<[T, MatrixMessage | null]> {
        return Promise.reject(new Error("a recording cannot be asked"));
    }
}
