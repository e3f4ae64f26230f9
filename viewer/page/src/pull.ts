// Pulling at bodies with the pointer: with the Shift key held, or in the mode of the button.

import * as THREE from "three";
import type { Answer, PullAnswer } from "./protocol";
import type { Stage } from "./stage";
import type { Transport } from "./transport";

export class Puller {
    /** Whether every drag pulls. */
    mode = false;
    stiffness = 1000;
    private held: THREE.Vector3 | null = null; // where the body was picked
    private down = false;
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
        for (const name of ["pointerup", "pointercancel"] as const)
            window.addEventListener(name, () => this.end(), { capture: true });
    }

    private begin(event: PointerEvent): void {
        if (event.button !== 0 || !(this.mode || event.shiftKey)) return;
        event.stopPropagation();
        event.preventDefault();
        this.stage.setOrbit(false);
        this.down = true;
        const { origin, direction } = this.stage.aim(event.clientX, event.clientY);
        const ray = { x: origin.x, y: origin.y, z: origin.z, dx: direction.x, dy: direction.y, dz: direction.z };
        this.transport
            .ask<PullAnswer>({ do: "pull", ...ray, stiffness: this.stiffness })
            .then((answer) => {
                this.say(answer.ok ? `pulling at ${answer.path}` : (answer.error ?? ""), !answer.ok);
                if (!answer.ok) return;
                this.held = new THREE.Vector3(...answer.point);
                if (!this.down) this.end();
            })
            .catch((error: Error) => this.say(error.message, true));
    }

    private move(event: PointerEvent): void {
        if (!this.down) return;
        event.stopPropagation();
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

    private end(): void {
        if (this.down) this.stage.setOrbit(true);
        this.down = false;
        if (!this.held) return;
        this.held = this.next = null;
        this.stage.setTarget(null);
        this.transport
            .ask<Answer>({ do: "release" })
            .then(() => this.say("", false))
            .catch(() => undefined);
    }
}
