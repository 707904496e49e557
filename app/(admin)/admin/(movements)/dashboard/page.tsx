export { DashboardPage as default, dashboardMetadata as generateMetadata } from "@/app/_panels/dashboard";
