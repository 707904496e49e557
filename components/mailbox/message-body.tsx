"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { Tabs } from "radix-ui";
import { useEffect } from "react";
import { part } from "@/components/ui/utils";

const TabsTrigger = part(
  Tabs.Trigger,
  "tabs-trigger",
  "inline-flex h-8 items-center justify-center gap-1.5 whitespace-nowrap rounded-md px-3 font-medium text-sm transition-colors hover:text-foreground disabled:pointer-events-none disabled:opacity-50 data-[state=active]:bg-card data-[state=active]:text-foreground data-[state=active]:shadow-sm [&_svg]:size-4",
);

/** A message as HTML (sandboxed, so that its scripts never run) and as text. */
export function MessageBody({ html, text, title }: { html: string; text: string; title: string }) {
  const t = useTranslations("mailbox");
  return (
    <Tabs.Root defaultValue="html" className="flex flex-col gap-4">
      <Tabs.List className="inline-flex w-fit max-w-full items-center gap-1 overflow-x-auto rounded-lg bg-muted p-1 text-muted-foreground">
        <TabsTrigger value="html">{t("html")}</TabsTrigger>
        <TabsTrigger value="text">{t("text")}</TabsTrigger>
      </Tabs.List>
      <Tabs.Content value="html">
        <iframe
          title={title}
          srcDoc={html}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          className="h-[70dvh] w-full rounded-xl border bg-white"
        />
      </Tabs.Content>
      <Tabs.Content value="text">
        <pre
          dir="auto"
          className="whitespace-pre-wrap break-words rounded-xl border bg-card p-4 font-mono text-sm"
        >
          {text}
        </pre>
      </Tabs.Content>
    </Tabs.Root>
  );
}

const REFRESH_MS = 3_000;

/** Refreshes the page every three seconds while it is visible. */
export function AutoRefresh() {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [router]);
  return null;
}
