import type { NextConfig } from "next";
import createNextIntlPlugin from "next-intl/plugin";

const withNextIntl = createNextIntlPlugin("./lib/i18n/request.ts");

const config: NextConfig = {
  output: "standalone",
  poweredByHeader: false,
  // They find their own files at run time.
  serverExternalPackages: ["graphile-worker", "nodemailer"],
};

export default withNextIntl(config);
