"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "@/components/ui/tabs";

/** A message as HTML (sandboxed, so that its scripts never run) and as text. */
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
