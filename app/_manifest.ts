import { direction, type Locale } from "@/lib/domain/roles";

const icon = (size: number, purpose: "any" | "maskable") => ({
  src: purpose === "maskable" ? `/icon-maskable-${size}.png` : `/icon-${size}.png`,
  sizes: `${size}x${size}`,
  type: "image/png",
  purpose,
});

type Own = { id: string; scope: string; name: string; short_name: string; theme_color: string };

/** A web app manifest: `own` is what the installed app differs in. It opens the page that is its id. */
export function manifestResponse(
  own: Own & { orientation?: "portrait" },
  locale: Locale,
  cacheControl: string,
): Response {
  const manifest = {
    ...own,
    start_url: own.id,
    lang: locale,
    dir: direction(locale),
    display: "standalone",
    background_color: "#f8fafc",
    icons: [icon(192, "any"), icon(512, "any"), icon(512, "maskable")],
  };
  const headers = { "Content-Type": "application/manifest+json", "Cache-Control": cacheControl };
  return Response.json(manifest, { headers });
}
