import { ChevronDownIcon, LockIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { Fragment } from "react";
import { PageTools } from "@/components/theme/switches";
import { Badge } from "@/components/ui/badge";
import { Logo } from "@/components/ui/logo";
import { type Parameter, parametersOf, type Schema, sampleOf } from "./sample";

type Content = Record<string, { schema: Schema; example?: unknown }>;
type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};
export type ApiDocument = {
  info: { title: string; description: string };
  /** `title` is the name in the language of the page. */
  tags: { name: string; title?: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { parameters?: Record<string, Parameter> };
};

type Refusal = { code: string; status: number; text: string };

const withoutMarkdown = (text: string) => text.replaceAll("`", "");

const anchorOf = (tag: string) => `tag-${tag.toLowerCase().replaceAll(/\W+/g, "-")}`;

function Code({ title, value }: { title: string; value: unknown }) {
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="font-medium">{title}</h3>
      <pre
        dir="ltr"
        className="whitespace-pre-wrap break-words rounded-md border bg-card p-3 font-mono text-xs"
      >
        {JSON.stringify(value, null, 2)}
      </pre>
    </section>
  );
}

function Parameters({ list }: { list: Parameter[] }) {
  return (
    <ul dir="ltr" className="flex flex-wrap gap-2 font-mono text-xs">
      {list.map((parameter) => (
        <li key={parameter.name} className="rounded border bg-card px-2 py-1">
          {parameter.name}
          {parameter.required ? "*" : ""} <span className="text-muted-foreground">{parameter.in}</span>
        </li>
      ))}
    </ul>
  );
}

const METHOD_VARIANTS: Record<string, "success" | "soft" | "warning" | "destructive"> = {
  get: "success",
  post: "soft",
  put: "warning",
  delete: "destructive",
};

function Path({ path }: { path: string }) {
  return path.split(/(?<=.\/)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path stay in their places
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

type Call = { path: string; method: string; operation: Operation };

function OperationCard({ path, method, operation, components }: Call & Pick<ApiDocument, "components">) {
  const t = useTranslations("docs");
  const body = operation.requestBody?.content["application/json"];
  const success = operation.responses["200"]?.content?.["application/json"];
  const parameters = parametersOf(operation, components);
  return (
    <details id={operation.operationId} className="group">
      <summary className="grid cursor-pointer list-none grid-cols-[4rem_minmax(0,1fr)_auto] items-baseline gap-x-3 gap-y-0.5 px-4 py-3 -outline-offset-2 hover:bg-muted/50 [&::-webkit-details-marker]:hidden">
        <Badge
          variant={METHOD_VARIANTS[method] ?? "secondary"}
          className="w-full justify-center font-mono uppercase"
        >
          {method}
        </Badge>
        <code
          dir="ltr"
          className="wrap-anywhere font-medium text-sm max-sm:col-span-3 max-sm:row-start-2 rtl:text-end"
        >
          <Path path={path} />
        </code>
        <span className="flex items-center gap-2 self-center text-muted-foreground max-sm:col-start-3">
          {operation.security.length > 0 && <LockIcon className="size-3.5" aria-label={t("secured")} />}
          <ChevronDownIcon className="size-4 transition-transform group-open:rotate-180" aria-hidden />
        </span>
        <span className="col-span-3 text-muted-foreground text-sm sm:col-span-2 sm:col-start-2">
          {withoutMarkdown(operation.summary)}
        </span>
      </summary>
      <div className="flex flex-col gap-4 border-t bg-muted/30 p-4 text-sm">
        {parameters && <Parameters list={parameters} />}
        {body && <Code title={t("body")} value={body.example ?? body.schema} />}
        {success && <Code title={t("answer")} value={sampleOf(success.schema)} />}
        <section className="flex flex-col gap-1.5">
          <h3 className="font-medium">{t("statuses")}</h3>
          <dl dir="ltr" className="grid grid-cols-[3rem_1fr] gap-x-3 gap-y-1 text-xs">
            {Object.entries(operation.responses).map(([status, response]) => (
              <div key={status} className="contents">
                <dt className="font-mono">{status}</dt>
                <dd className="text-muted-foreground">{withoutMarkdown(response.description)}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </details>
  );
}

/** Every refusal, each under its own anchor: the `type` of a problem names it. */
function Errors({ list }: { list: readonly Refusal[] }) {
  const t = useTranslations("docs");
  return (
    <section id="errors" className="scroll-mt-6">
      <h2 className="font-semibold text-lg">{t("errors")}</h2>
      <p className="mb-3 text-muted-foreground text-sm">{t("errorsText")}</p>
      <dl className="divide-y overflow-hidden rounded-xl border bg-card text-sm shadow-card">
        {list.map(({ code, status, text }) => (
          <div
            key={code}
            id={code}
            className="grid scroll-mt-6 gap-x-3 gap-y-0.5 px-4 py-2.5 target:bg-muted sm:grid-cols-[3rem_14rem_minmax(0,1fr)]"
          >
            <dt className="contents font-mono text-xs">
              <span className="text-muted-foreground tabular-nums sm:leading-5">{status}</span>
              <code dir="ltr" className="wrap-anywhere sm:leading-5 rtl:text-end">
                {code}
              </code>
            </dt>
            <dd className="text-muted-foreground">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export function ApiReference({ document, errors }: { document: ApiDocument; errors: readonly Refusal[] }) {
  const t = useTranslations("docs");
  const common = useTranslations("common");
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return (
    <div data-theme="blue">
      <header className="mx-auto flex w-full max-w-4xl items-center justify-between gap-4 p-4 sm:py-6">
        <p className="flex items-center gap-2.5 font-semibold">
          <Logo className="size-9" />
          {common("appName")}
        </p>
        <PageTools />
      </header>
      <main className="mx-auto flex w-full max-w-4xl flex-col gap-8 px-4 pt-4 pb-12">
        <div className="flex flex-col gap-2">
          <h1 className="font-semibold text-3xl tracking-tight">{t("title")}</h1>
          <p className="text-muted-foreground">{t("intro")}</p>
          <a href="/api/openapi.json" className="w-fit text-link underline underline-offset-4">
            openapi.json
          </a>
        </div>
        <nav aria-label={t("title")}>
          <ul className="flex flex-wrap gap-2 text-sm">
            {[
              ...document.tags.map((tag) => ({ anchor: anchorOf(tag.name), title: tag.title ?? tag.name })),
              { anchor: "errors", title: t("errors") },
            ].map(({ anchor, title }) => (
              <li key={anchor}>
                <a
                  href={`#${anchor}`}
                  className="flex min-h-9 items-center rounded-full border bg-card px-3.5 pointer-coarse:min-h-11 hover:border-primary"
                >
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {document.tags.map((tag) => (
          <section key={tag.name} id={anchorOf(tag.name)} className="scroll-mt-6">
            <h2 className="font-semibold text-lg">{tag.title ?? tag.name}</h2>
            <p className="mb-3 text-muted-foreground text-sm">{tag.description}</p>
            <div className="divide-y overflow-hidden rounded-xl border bg-card shadow-card">
              {operations
                .filter(({ operation }) => operation.tags.includes(tag.name))
                .map(({ path, method, operation }) => (
                  <OperationCard
                    key={operation.operationId}
                    path={path}
                    method={method}
                    operation={operation}
                    components={document.components}
                  />
                ))}
            </div>
          </section>
        ))}
        <Errors list={errors} />
      </main>
    </div>
  );
}
