// Small helpers to make elements.

type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

/** An element with attributes, listeners ("onclick") and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(name.slice(2), value);
        else if (value === true) element.setAttribute(name, "");
        else if (value !== false) element.setAttribute(name, String(value));
    }
    element.append(...children);
    return element;
}

/** A figure for people: four digits. */
export function figure(value: number): string {
    if (!Number.isFinite(value)) return "-";
    if (value === 0) return "0";
    const size = Math.abs(value);
    return size >= 1e5 || size < 1e-3 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

/** Offers a file for download. */
export function download(name: string, content: Blob): void {
    const link = make("a", { href: URL.createObjectURL(content), download: name });
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
