// The rules of imports, checked by `npm run check`. Default: no. A test proves its subject from outside and may reach for
// anything, so tests are not read here.

const rooms = (...names) => names.map((name) => `^lib/${name}/`);
/** Every subject builds on these. A room may import the rooms before it; `no-circular` holds their files to that. */
const kernel = ["env", "observe", "i18n", "secrets", "db", "operations", "calls", "pdf", "email", "jobs"];
const services = ["audit", "codes", "files"];
/** A subject's types, schemas and pure rules, and its calls as both sides know them. Both run in the browser too. */
const models = "^lib/[^/]+/model(/|\\.ts$)";
const names = "^lib/[^/]+/names\\.ts$";
/** These run outside the program: nothing of the program imports them. */
const tools = ["^lib/testing/", "^(scripts|prisma|bench|e2e)/"];
const inside =
  "^(app|components|lib|messages|scripts|prisma|bench|e2e|middleware\\.ts|instrumentation(-client)?\\.ts)";
const model = ["^lib/domain/", models];

/** Operations that other subjects call, each with its reason. */
const shared = {
  "lib/accounts/invitations.ts": "employees and administrators are invited in the same way",
  "lib/accounts/password.ts": "a sign-up, an invitation and a reset keep a password in the same way",
  "lib/cards/email-changes.ts": "holders and staff change a card's e-mail by one rule",
  "lib/points-config/pending-limits.ts":
    "a limit that an administrator raises waits by one rule, configuration or setting",
  "lib/merchants/lookups.ts": "the counter, customers and cards find the merchant by one rule",
};
const sharedFiles = Object.keys(shared).map((path) => `^${path.replaceAll(".", "\\.")}$`);

const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

export default {
  forbidden: [
    rule(
      "pure",
      "lib/domain runs in the browser too, lib/env before anything else: nothing but themselves and zod",
      { path: "^lib/(domain|env)/" },
      { pathNot: ["^lib/$1/", "(^|/)node_modules/zod/"] },
    ),
    rule(
      "model-imports",
      "a model builds on lib/domain and on models of other subjects",
      { path: models },
      { path: inside, pathNot: model },
    ),
    rule(
      "names-imports",
      "the names of calls run in the browser; of operations they know types",
      { path: names },
      { path: inside, pathNot: [...model, names, ...rooms("calls")], dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "kernel-imports",
      "a kernel room knows models, and no operation",
      { path: rooms(...kernel, ...services), pathNot: "/api\\.ts$" },
      { path: inside, pathNot: [...model, ...rooms(...kernel, ...services), "^messages/"] },
    ),
    rule(
      "subject-imports",
      "a subject builds on the kernel, the ledger and models, never on an operation of another subject",
      {
        path: "^lib/([^/]+)/",
        pathNot: [...model, ...rooms("env", ...kernel, ...services, "api", "tasks", "testing")],
      },
      {
        path: inside,
        pathNot: ["^lib/$1/", ...model, names, ...rooms(...kernel, ...services, "ledger"), ...sharedFiles],
      },
    ),
    rule(
      "api-of-a-room",
      "the API's table alone joins what binds the calls of the rooms to their operations",
      { pathNot: "^lib/api/" },
      { path: "^lib/(?!api/)[^/]+/api\\.ts$" },
    ),
    rule(
      "api-imports",
      "adapters and jobs run operations, never pages",
      { path: rooms("api", "tasks") },
      { path: "^(app|components)/" },
    ),
    rule(
      "components-imports",
      "components know models, names and the client of the API; server actions they may call",
      { path: "^components/" },
      {
        path: inside,
        pathNot: [
          "^components/",
          ...model,
          names,
          ...rooms("i18n", "calls"),
          "^lib/api/(client|connection)\\.ts$",
          "^app/.*actions\\.ts$",
        ],
      },
    ),
    rule(
      "app-imports",
      "pages and routes reach the database through operations only",
      { path: ["^app/", "^instrumentation(-client)?\\.ts$"] },
      { path: "^lib/db/" },
    ),
    rule(
      "middleware-imports",
      "the middleware knows the session's cookie, and no operation",
      { path: "^middleware\\.ts$" },
      {
        path: inside,
        pathNot: [
          ...model,
          ...rooms("env", "i18n", "observe", "secrets", "api"),
          "^lib/accounts/auth\\.config\\.ts$",
        ],
      },
    ),
    rule(
      "no-tools",
      "nothing of the program imports what runs outside it",
      { pathNot: tools },
      { path: tools },
    ),
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
  ],
  options: {
    parser: "swc",
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: ["node_modules", "^lib/db/generated/"] },
    exclude: {
      path: ["^public/", "^integrations/", "\\.test\\.tsx?$", "^\\.next", "^next-env\\.d\\.ts$", "^\\.data"],
    },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "browser", "default", "types"],
      extensions: [".ts", ".tsx", ".mts", ".mjs", ".js", ".d.ts", ".json"],
    },
  },
};
