import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ""): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string"
      ? [[prefix + key, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  );
}

/** The argument and tag names of an ICU message, sorted: what both languages must share. */
function placeholders(message: string): string {
  const names = [...message.matchAll(/\{\s*(\w+)\s*[,}]|<(\w+)>/g)].map((m) => m[1] ?? `<${m[2]}>`);
  return [...new Set(names)].sort().join(" ");
}

/** Words that have another term here: each language's texts may not contain them. */
const WRONG_TERMS = {
  en: /\b(at once|is told|are told|redeems|movements?|proof|caps?|papers|nobody|whoever|login|log in|first one on|of their own)\b/i,
  ar: /معامل[ةات]|(?<!م)تاجر|تجار(?!ي)|كاونتر|مشرف|يُرجى|اً|إثبات|الرمز الحي|سقف|النشاط التجاري|صاحب البطاقة|الخاصة? ب[كه]|والموظف [\u2068<]|عامل تحقق|شحن واسترداد|مفتاح (?:ال)?واجهة|نقطة الخدمة/,
};
/** The specification's own strings, and names of calls. */
const QUOTED = new Set(["auth.loginForTopup", "shell.signOutQuestion", "topup.goToLogin", "docs.intro"]);

/** Values that may read from left to right: isolated in Arabic, or "24 Street" has its digits at the wrong end. */
const BARE =
  /(?<!\u2068)\{(email|emails|phone|merchant|name|customer|person|till|worker|branch|factor|host|key|reason|term)\}|(?<!\u2068)\+974/;
const ARABIC_FORMS = ["one", "two", "few", "many", "other"];

function problemsOfLanguage(language: "en" | "ar", key: string, text: string): string[] {
  const wrong = QUOTED.has(key) ? null : WRONG_TERMS[language].exec(text.replace(/\{\w+, select,/g, ""));
  return [
    ...(wrong ? [`${language}: ${key} says "${wrong[0]}"`] : []),
    ...(language === "ar" && BARE.test(text)
      ? [`ar: ${key} has a name, an address or a number that is not isolated`]
      : []),
    ...(language === "ar" && text.includes(", plural,")
      ? ARABIC_FORMS.filter((form) => !text.includes(`${form} {`)).map((form) => `ar: ${key} lacks "${form}"`)
      : []),
  ];
}

const read = (file: string) => new Map(flatten(JSON.parse(readFileSync(file, "utf8")) as Tree));
const en = read("messages/en.json");
const ar = read("messages/ar.json");
const args = ["ls-files", "-co", "--exclude-standard", "app/*.ts*", "components/*.ts*", "lib/*.ts*"];
const listed = execFileSync("git", args, { encoding: "utf8" }).trim().split("\n");
const code = listed.filter((file) => !file.endsWith(".test.ts")).map((file) => readFileSync(file, "utf8"));
/** Every word in the code: a key whose last part is none of them is used nowhere. */
const words = new Set(code.flatMap((text) => text.match(/\w+/g) ?? []));
/** A schema names the message of its refusal by its key, which no type checks. */
const refusals = new Set(
  code.flatMap((text) => text.match(/(?<=")(?:validation|errors)\.[\w.]+(?=")/g) ?? []),
);
const problems = [
  ...[...en.keys()].filter((key) => !ar.has(key)).map((key) => `ar.json lacks ${key}`),
  ...[...ar.keys()].filter((key) => !en.has(key)).map((key) => `en.json lacks ${key}`),
  ...[...en].flatMap(([key, text]) => {
    const other = ar.get(key);
    return other !== undefined && placeholders(text) !== placeholders(other)
      ? [`${key}: placeholders differ ("${placeholders(text)}" and "${placeholders(other)}")`]
      : [];
  }),
  ...[...en].flatMap(([key, text]) => problemsOfLanguage("en", key, text)),
  ...[...ar].flatMap(([key, text]) => problemsOfLanguage("ar", key, text)),
  ...[...en.keys()]
    // The code puts the keys of activity.did together from a subject and its change.
    .filter((key) => !key.startsWith("activity.did.") && !words.has(key.split(".").at(-1) ?? ""))
    .map((key) => `${key} is used nowhere`),
  ...[...refusals].filter((key) => !en.has(key)).map((key) => `${key} is in the code, but has no text`),
  ...[...en, ...ar].filter(([, text]) => text.trim() === "").map(([key]) => `${key} is empty`),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
