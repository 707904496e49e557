// For Playwright, which imports JSON by Node: there they need an attribute, which the build forbids.
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, nextResolve) {
    const found = nextResolve(specifier, context);
    return /\.json$/.test(found.url) ? { ...found, importAttributes: { type: "json" } } : found;
  },
});
