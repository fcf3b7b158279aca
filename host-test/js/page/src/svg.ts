// Elements of a drawing whose coordinates are shares of the width, so that it
// fits every width without being drawn again.

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** An SVG element with its attributes. */
export function svg(name: string, attributes: Record<string, string | number>, ...children: Element[]): SVGElement {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** A share of the width, from 0 to 1. */
export function share(value: number): string {
  return `${Math.round(value * 1e5) / 1e3}%`;
}

/** An HTML element with a class and a text. */
export function html(name: string, className: string, text = ''): HTMLElement {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

/** An element of the page that `index.html` holds. */
export function byId<T extends Element = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element "${id}"`);
  return element as unknown as T;
}
