// Who may import whom: checked by `npm run check`. Default: no. A test proves its subject from outside and may reach for
// anything, so tests are not read here.

const common = ["lib/domain", "lib/env", "lib/i18n", "lib/observe"];
/** What runs outside the program: nothing of the program imports it. */
const tools = ["lib/testing", "scripts", "prisma", "bench", "e2e"];

/** What a layer may import besides itself and packages. */
const layers = {
  "lib/domain": [],
  "lib/env": [],
  "lib/observe": ["lib/env"],
  "lib/i18n": ["lib/domain", "messages"],
  // A context carries the known device of its caller.
  "lib/db": [...common, "lib/secrets"],
  "lib/operations": [...common, "lib/db/context.ts"],
  "lib/calls": [...common, "lib/db/context.ts", "lib/operations"],
  "lib/pdf": common,
  "lib/email": [...common, "lib/db"],
  "lib/jobs": [...common, "lib/db", "lib/email"],
  "lib/api": ["lib", "messages"],
  components: ["lib/domain", "lib/*/names.ts", "lib/api/client.ts", "lib/api/connection.ts"],
  "middleware.ts": [
    ...common,
    "lib/accounts/auth.config.ts",
    "lib/accounts/decode-cookie.ts",
    "lib/api",
    "lib/secrets",
  ],
};
/** Any other folder of lib holds operations; these are what operations build on. */
const operation = [
  ...common,
  "lib/calls",
  "lib/db",
  "lib/email",
  "lib/jobs",
  "lib/ledger",
  "lib/operations",
  "lib/files",
  "lib/pdf",
];
/** Single files that several kinds of operation share, each with its reason. */
const shared = {
  "lib/accounts/password.ts": "a sign-up, an invitation and a reset keep a password in the same way",
  "lib/secrets": "links and devices keep a secret in the same way",
  "lib/codes": "a code is mailed in the same way whatever it confirms",
  "lib/cards/email-changes.ts": "holders and staff change a card's e-mail by one rule",
  "lib/points-config/pending-limits.ts":
    "what an administrator raises waits by one rule, configuration or setting",
  "lib/audit": "whoever changes what is not money writes it down",
  "lib/counter/find-customers.ts": "the search over a panel finds customers as the counter does",
  "lib/merchants/lookups.ts": "the counter, customers and cards find the merchant by one rule",
};

const files = (paths) => paths.map((path) => (/\.\w+$/.test(path) ? `^${literally(path)}$` : `^${path}/`));
const literally = (path) => path.replaceAll(".", "\\.").replaceAll("*", "[^/]+");
const inside =
  "^(app|components|lib|messages|scripts|prisma|bench|e2e|middleware\\.ts|instrumentation(-client)?\\.ts)";

const layerRules = Object.entries(layers).map(([layer, may]) => ({
  name: `${layer.replace("lib/", "").replace(".ts", "")}-imports`,
  comment: `${layer} may import ${may.join(", ") || "nothing of the project"}`,
  severity: "error",
  from: { path: files([layer]) },
  to: { path: inside, pathNot: files([layer, ...may]) },
}));

export default {
  forbidden: [
    ...layerRules,
    {
      name: "operation-imports",
      comment:
        "an operation builds on the ledger, the database and what is shared, never on another operation",
      severity: "error",
      from: { path: "^lib/([^/]+)/", pathNot: files([...Object.keys(layers), "lib/tasks", "lib/testing"]) },
      to: { path: inside, pathNot: ["^lib/$1/", ...files([...operation, ...Object.keys(shared)])] },
    },
    {
      name: "api-of-a-room",
      comment: "the API's table alone joins what binds the calls of the rooms to their operations",
      severity: "error",
      from: { pathNot: "^lib/api/" },
      to: { path: "^lib/(?!api/)[^/]+/api\\.ts$" },
    },
    {
      name: "app-imports",
      comment: "pages and routes reach the database through operations only",
      severity: "error",
      from: { path: ["^app/", "^instrumentation(-client)?\\.ts$"] },
      to: { path: "^lib/db/" },
    },
    {
      name: "no-tools",
      comment: "nothing of the program imports what runs outside it",
      severity: "error",
      from: { pathNot: files(tools) },
      to: { path: files(tools) },
    },
    {
      name: "pure",
      comment: "lib/domain runs in the browser too, lib/env before anything else: no packages but zod",
      severity: "error",
      from: { path: files(["lib/domain", "lib/env"]) },
      to: { pathNot: [inside, "(^|/)node_modules/zod/"] },
    },
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-circular-folders",
      severity: "error",
      scope: "folder",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-orphans",
      severity: "error",
      from: {
        orphan: true,
        pathNot: [
          "\\.d\\.m?ts$",
          "(^|/)\\.dependency-cruiser",
          "^bench/empty-next/",
          "\\.config\\.(ts|mjs)$",
          // In the place of zod in the service worker's bundle.
          "^app/_worker/no-schemas\\.ts$",
        ],
      },
      to: {},
    },
    {
      name: "resolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    parser: "swc",
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: ["node_modules", "^lib/db/generated/"] },
    exclude: { path: ["^public/", "\\.test\\.tsx?$", "^\\.next", "^next-env\\.d\\.ts$", "^\\.data"] },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "require", "node", "browser", "default", "types"],
      extensions: [".ts", ".tsx", ".mts", ".mjs", ".js", ".d.ts", ".json"],
    },
  },
};
