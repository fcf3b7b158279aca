// A core module that traps. Nothing that is passed to the real one makes it
// trap, so this one stands in for whatever a platform may do to it: it can be
// configured, and counting a request hits `unreachable`.

const I32 = 0x7f;
const SESSION = 'agent:todo/session@0.1.0';

const sized = (bytes) => [...leb(bytes.length), ...bytes];
const vector = (items) => [...leb(items.length), ...items.flat()];
const section = (id, items) => [id, ...sized(vector(items))];
const name = (text) => sized([...new TextEncoder().encode(text)]);
const type = (parameters, results) => [0x60, ...vector(parameters), ...vector(results)];
const body = (...code) => sized([0, ...code, 0x0b]);

const constant = [0x41, 16];
const unreachable = [0x00];

const functions = [
  { export: `${SESSION}#configure`, type: type([I32], [I32]), body: body(...constant) },
  { export: `cabi_post_${SESSION}#configure`, type: type([I32], []), body: body() },
  { export: 'cabi_realloc', type: type([I32, I32, I32, I32], [I32]), body: body(...constant) },
  { export: `${SESSION}#on-request`, type: type([], []), body: body(...unreachable) },
];

/** The bytes of the module. */
export const trappingCore = Uint8Array.from([
  0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  ...section(1, functions.map((f) => f.type)),
  ...section(3, functions.map((_, index) => [index])),
  ...section(5, [[0, 1]]),
  ...section(7, [[...name('memory'), 2, 0], ...functions.map((f, index) => [...name(f.export), 0, index])]),
  ...section(10, functions.map((f) => f.body)),
]);

function leb(value) {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >> 7)];
}
