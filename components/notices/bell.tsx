"use client";

import { BellIcon } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { countNoticesAction, markNoticesAction } from "@/app/_panels/actions";
import { LinkButton } from "@/components/ui/button";

/** The event of a page that changed how many notices are unread: `detail` is the number. */
const SEEN = "notices-seen";
const FRESH_MS = 60_000;

/** The link to the notices with the number of those that are unread. It is counted again when the user comes back. */
export function Bell({ href, unread: first, most }: { href: string; unread: number; most: number }) {
  const t = useTranslations("notices");
  const path = usePathname();
  const [unread, setUnread] = useState(first);
  const asked = useRef(0);
  useEffect(() => {
    asked.current ||= Date.now();
    const refresh = async () => {
      if (document.hidden || Date.now() - asked.current < FRESH_MS) return;
      asked.current = Date.now();
      // Without an answer the number stays; the next page or return asks again.
      const answer = await countNoticesAction({}).catch(() => null);
      if (answer?.ok) setUnread(answer.data.unread);
    };
    const seen = (event: Event) => setUnread((event as CustomEvent<number>).detail);
    if (path) void refresh();
    document.addEventListener("visibilitychange", refresh);
    window.addEventListener(SEEN, seen);
    return () => {
      document.removeEventListener("visibilitychange", refresh);
      window.removeEventListener(SEEN, seen);
    };
  }, [path]);
  return (
    <LinkButton
      variant="ghost"
      size="icon"
      className="relative shrink-0"
      href={href}
      prefetch={false}
      aria-label={unread > 0 ? t("bellUnread", { count: unread }) : t("bell")}
    >
      <BellIcon className="size-5" aria-hidden />
      {unread > 0 && (
        <span
          aria-hidden
          className="absolute end-0.5 top-0.5 min-w-4.5 rounded-full bg-primary px-1 text-center font-semibold text-[0.6875rem] text-primary-foreground leading-4.5"
        >
          {unread > most ? `${most}+` : unread}
        </span>
      )}
    </LinkButton>
  );
}

/** Marks what the page shows as seen, once it is shown: a prefetched page marks nothing. */
export function MarkSeen({ until }: { until: string }) {
  useEffect(() => {
    // Without an answer they stay unread.
    markNoticesAction({ until }).then(
      (answer) => answer.ok && window.dispatchEvent(new CustomEvent(SEEN, { detail: answer.data.unread })),
      () => null,
    );
  }, [until]);
  return null;
}
