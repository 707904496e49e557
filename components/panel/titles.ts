import type { Role } from "@/lib/domain/roles";

/** The key in `panels.titles` of a path's title. Subpages have that of their page; an unknown path answers null. */
export function titleOf(role: Role, path: string, titles: Readonly<Record<string, string>>): string | null {
  const parts = path.split("/").filter(Boolean).slice(0, 2).reverse();
  const key = parts
    .map((part) => part.replace(/-\w/g, (letter) => letter.slice(1).toUpperCase()))
    // The path comes from a URL, and every object has a "constructor".
    .find((part) => Object.hasOwn(titles, part));
  return key === "pointsConfig" && role !== "super_admin" ? "cashConfig" : (key ?? null);
}
