// The content security policy forbids eval; without this, zod's first parse tries it and each page reports a violation.
// zod shares its settings by this name. Its own `config` would bring 5 kB of zod to pages that parse nothing.
const shared = globalThis as { __zod_globalConfig?: { jitless?: boolean } };
shared.__zod_globalConfig ??= {};
shared.__zod_globalConfig.jitless = true;

export const zodSettings: Readonly<{ jitless?: boolean }> = shared.__zod_globalConfig;
