/**
 * Stands for `node:http` in bundles. Imported as an ES module, Node evaluates every export of it, and one loads a
 * WebSocket client: 25 ms of each cold start. Add an export here when esbuild misses one.
 */
const http = process.getBuiltinModule('node:http');

export const { Agent, request, STATUS_CODES } = http;
// Packages import it whole.
// biome-ignore lint/style/noDefaultExport: it stands for a module that has a default export.
export default http;
