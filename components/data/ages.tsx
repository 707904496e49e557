"use client";

import { useLocale, useTranslations } from "next-intl";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { formatDateTime, relativeAge } from "@/lib/domain/time";

const REFRESH_MS = 30_000;
// Pixels between the tip and what it is about, and between the tip and the window's edge.
const GAP = 4;
const EDGE = 8;

/** Keeps the ages of all RelativeTimes right, and shows the exact time of the one that is pointed at, focused or tapped. */
export function Ages() {
  useRefresh();
  const [age, setAge] = useState<Element | null>(null);
  useEffect(() => {
    const show = ({ target }: Event) => setAge(target instanceof Element ? target.closest(".age") : null);
    const hide = () => setAge(null);
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && hide();
    const following = new AbortController();
    const { signal } = following;
    for (const name of ["pointerover", "focusin", "click"]) document.addEventListener(name, show, { signal });
    document.addEventListener("focusout", hide, { signal });
    document.addEventListener("keydown", onKey, { signal });
    document.addEventListener("scroll", hide, { capture: true, signal });
    return () => following.abort();
  }, []);
  return age && <Tip key={momentOf(age)} age={age} />;
}

const momentOf = (age: Element) => age.querySelector("time")?.dateTime ?? "";

function useRefresh() {
  const t = useTranslations("time");
  useEffect(() => {
    const refresh = () => {
      for (const time of document.querySelectorAll<HTMLTimeElement>(".age time")) {
        const { count, unit } = relativeAge(new Date(time.dateTime), new Date());
        const text = t(unit, { count });
        // React owns the node: only its text changes.
        if (time.firstChild && time.firstChild.nodeValue !== text) time.firstChild.nodeValue = text;
      }
    };
    refresh();
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, [t]);
}

function Tip({ age }: { age: Element }) {
  const locale = useLocale();
  const id = useId();
  const tip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = tip.current;
    if (!box) return;
    const at = age.getBoundingClientRect();
    const x = at.x + (at.width - box.offsetWidth) / 2;
    const most = document.documentElement.clientWidth - box.offsetWidth - EDGE;
    const above = at.y - box.offsetHeight - GAP;
    box.style.translate = `${Math.max(EDGE, Math.min(x, most))}px ${above < EDGE ? at.bottom + GAP : above}px`;
    age.setAttribute("aria-describedby", id);
    return () => age.removeAttribute("aria-describedby");
  }, [age, id]);
  return (
    <div dir="ltr" className="pointer-events-none fixed start-0 top-0 z-50">
      <div
        ref={tip}
        id={id}
        role="tooltip"
        className="w-fit whitespace-nowrap rounded-md bg-foreground px-2.5 py-1.5 text-background text-xs shadow-md"
      >
        <bdi>{formatDateTime(new Date(momentOf(age)), locale)}</bdi>
      </div>
    </div>
  );
}
