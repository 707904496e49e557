"use client";

import { LoaderCircleIcon, type LucideIcon } from "lucide-react";
import { useLinkStatus } from "next/link";
import { cn } from "@/components/ui/utils";

/** The icon of the link it stands in; turns while that link's page is being fetched. */
export function NavIcon({ icon: Icon, className }: { icon: LucideIcon; className?: string }) {
  const { pending } = useLinkStatus();
  if (pending) return <LoaderCircleIcon className={cn("animate-spin", className)} aria-hidden />;
  return <Icon className={className} aria-hidden />;
}
