import { resolve } from "node:path";

// Measured by npm run bench: what Next itself costs. Its packages are the project's.
const root = resolve(import.meta.dirname, "../..");
export default { poweredByHeader: false, outputFileTracingRoot: root, turbopack: { root } };
