"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";

/** A message as HTML (no script of it ever runs) and as text. */
export function MessageBody({ html, text, title }: { html: string; text: string; title: string }) {
  const t = useTranslations("mailbox");
  return (
    <Tabs defaultValue="html">
      <TabsList>
        <TabsTrigger value="html">{t("html")}</TabsTrigger>
        <TabsTrigger value="text">{t("text")}</TabsTrigger>
      </TabsList>
      <TabsContent value="html">
        <iframe
          title={title}
          srcDoc={html}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          className="h-[70dvh] w-full rounded-xl border bg-white"
        />
      </TabsContent>
      <TabsContent value="text">
        <pre
          dir="auto"
          className="whitespace-pre-wrap break-words rounded-xl border bg-card p-4 font-mono text-sm"
        >
          {text}
        </pre>
      </TabsContent>
    </Tabs>
  );
}

const EVERY_MS = 3_000;

/** Asks the page for what is new every three seconds, while someone looks at it. */
export function AutoRefresh() {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, [router]);
  return null;
}
