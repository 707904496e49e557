"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ComponentProps } from "react";
import { useKeptHref } from "./kept-view";

/** A link to a list as it was left; from the list itself it leads to the whole list. */
export function KeptLink({ href, ...props }: Omit<ComponentProps<typeof Link>, "href"> & { href: string }) {
  const kept = useKeptHref(href);
  return <Link href={usePathname() === href ? href : kept} {...props} />;
}
