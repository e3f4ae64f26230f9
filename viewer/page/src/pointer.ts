// What the pointer does to bodies: pull at them (with the Shift key held, or as a tool), hold points where they are, remove
// elements, cut along a swipe.

import * as THREE from "three";
import type { Answer, PickAnswer } from "./protocol";
import type { Stage } from "./stage";
import type { Transport } from "./transport";

export const TOOLS = ["Pull", "Fix", "Remove", "Cut"] as const;
export type Tool = (typeof TOOLS)[number];

const DONE: Record<Tool, string> = { Pull: "pulling at", Fix: "fixed a point of", Remove: "removed from", Cut: "cut" };

type Ray = Record<"x" | "y" | "z" | "dx" | "dy" | "dz", number>;

function numbers({ origin, direction }: THREE.Ray): Ray {
    return { x: origin.x, y: origin.y, z: origin.z, dx: direction.x, dy: direction.y, dz: direction.z };
}

export class Pointer {
    /** What a drag or click does; null: it turns the camera. */
    tool: Tool | null = null;
    stiffness = 1000;
    private held: THREE.Vector3 | null = null; // where the body was picked
    private using: Tool | null = null; // while the button is down
    private start: THREE.Ray | null = null; // of a swipe
    private next: THREE.Vector3 | null = null; // target that is not sent yet
    private busy = false;

    constructor(
        private readonly stage: Stage,
        private readonly transport: Transport,
        private readonly say: (text: string, bad: boolean) => void,
    ) {
        const { element } = stage;
        element.addEventListener("pointerdown", (event) => this.begin(event), { capture: true });
        element.addEventListener("pointermove", (event) => this.move(event), { capture: true });
        window.addEventListener("pointerup", (event) => this.end(event), { capture: true });
        window.addEventListener("pointercancel", () => this.end(null), { capture: true });
    }

    private begin(event: PointerEvent): void {
        const tool = event.shiftKey ? "Pull" : this.tool;
        if (event.button !== 0 || !tool) return;
        event.stopPropagation();
        event.preventDefault();
        this.stage.setOrbit(false);
        this.using = tool;
        const { clientX: x, clientY: y } = event;
        if (tool === "Cut") this.start = this.stage.ray(x, y);
        if (tool === "Cut") this.stage.setSwipe([x, y], [x, y]);
        if (tool === "Fix") this.act({ do: "fix", ...numbers(this.stage.aim(x, y)), stiffness: this.stiffness });
        if (tool === "Remove") this.act({ do: "remove", ...numbers(this.stage.ray(x, y)) });
        if (tool === "Pull") this.pull(this.stage.aim(x, y));
    }

    private act(command: { do: string } & Record<string, string | number>): void {
        const tool = this.using;
        this.transport
            .ask<PickAnswer>(command)
            .then((answer) =>
                this.say(answer.ok && tool ? `${DONE[tool]} ${answer.path}` : (answer.error ?? ""), !answer.ok),
            )
            .catch((error: Error) => this.say(error.message, true));
    }

    private pull(ray: THREE.Ray): void {
        this.transport
            .ask<PickAnswer>({ do: "pull", ...numbers(ray), stiffness: this.stiffness })
            .then((answer) => {
                this.say(answer.ok ? `${DONE.Pull} ${answer.path}` : (answer.error ?? ""), !answer.ok);
                if (!answer.ok) return;
                this.held = new THREE.Vector3(...answer.point);
                if (!this.using) this.release();
            })
            .catch((error: Error) => this.say(error.message, true));
    }

    private move(event: PointerEvent): void {
        if (!this.using) return;
        event.stopPropagation();
        if (this.using === "Cut") this.stage.setSwipe(null, [event.clientX, event.clientY]);
        const target = this.held && this.stage.across(event.clientX, event.clientY, this.held);
        if (!target) return;
        this.stage.setTarget(target);
        this.next = target;
        this.send();
    }

    /** One target at a time: the newest, when the last one was taken. */
    private send(): void {
        if (this.busy || !this.next || !this.held) return;
        const { x, y, z } = this.next;
        this.next = null;
        this.busy = true;
        this.transport
            .ask<Answer>({ do: "drag", x, y, z })
            .catch(() => undefined)
            .finally(() => {
                this.busy = false;
                this.send();
            });
    }

    private end(event: PointerEvent | null): void {
        if (!this.using) return;
        this.stage.setOrbit(true);
        if (this.start && event) this.cut(this.start, this.stage.ray(event.clientX, event.clientY));
        this.stage.setSwipe(null, null);
        this.start = this.using = null;
        this.release();
    }

    private cut(from: THREE.Ray, to: THREE.Ray): void {
        const { x: x2, y: y2, z: z2, dx: dx2, dy: dy2, dz: dz2 } = numbers(to);
        this.act({ do: "cut", ...numbers(from), x2, y2, z2, dx2, dy2, dz2 });
    }

    private release(): void {
        if (!this.held) return;
        this.held = this.next = null;
        this.stage.setTarget(null);
        this.transport
            .ask<Answer>({ do: "release" })
            .then(() => this.say("", false))
            .catch(() => undefined);
    }
}
