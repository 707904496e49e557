// For Playwright, which leaves the imports of JSON to Node: there they need an attribute, and the build, which compiles
// the catalogues into modules, allows none.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context);
    return /\.json$/.test(found.url) ? { ...found, importAttributes: { type: "json" } } : found;
  },
});
