// Messages of the scene; one that comes again is counted.

import { make } from "./dom";
import type { Message } from "./protocol";

export class Messages {
    readonly element = make("section", { class: "messages", "aria-label": "Messages" });
    private readonly list = make("ol", { role: "log" });
    private readonly empty = make("p", {}, "No messages.");
    private readonly known = new Map<string, { count: number; badge: HTMLElement }>();

    constructor(
        private readonly select: (path: string) => void,
        private readonly counted: (count: number) => void,
    ) {
        this.element.append(this.empty, this.list);
    }

    add(message: Message): void {
        const key = JSON.stringify(message);
        const before = this.known.get(key);
        if (before) {
            before.badge.textContent = `×${++before.count}`;
            return;
        }
        const badge = make("span", { class: "badge" });
        this.known.set(key, { count: 1, badge });
        const place = message.file ? `${message.file.split("/").pop()}:${message.line} ` : "";
        const item = make("li", { class: message.severity }, make("b", {}, message.severity), ` ${place}`);
        const { path } = message;
        if (path)
            item.append(
                make("button", { type: "button", onclick: () => this.select(path) }, message.component ?? path),
                " ",
            );
        item.append(message.text, " ", badge);
        this.list.append(item);
        this.empty.hidden = true;
        this.counted(this.known.size);
    }

    clear(): void {
        this.known.clear();
        this.list.replaceChildren();
        this.empty.hidden = false;
        this.counted(0);
    }
}
