// Measured by npm run bench, in a folder of its own: what Next itself costs.
const root = import.meta.dirname;
export default { poweredByHeader: false, outputFileTracingRoot: root, turbopack: { root } };
