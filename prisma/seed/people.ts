/** The password of every account of the demo. */
export const DEMO_PASSWORD = "demo-wallet-2026";

/** A demo merchant: who owns it, where it is, who shops there. */
export type House = {
  key: string;
  businessName: string;
  /** The two colours and the sign of the image that is drawn for it. */
  image: { from: string; to: string; accent: string; sign: "cup" | "book" };
  owner: Person;
  workers: (Person & { branch: number })[];
  branches: { name: string; city: string }[];
  /** Points a top-up and a purchase usually come to here. */
  topUps: readonly number[];
  purchases: readonly number[];
  customers: readonly DemoCustomer[];
  /** Whether one more customer deleted the card and gave up what was left on it. */
  erased: boolean;
};
export type Person = { firstName: string; lastName: string; email: string; phone: string };
type DemoCustomer = { fullName: string; email: string; locale: "en" | "ar" };

const c = (fullName: string, email: string): DemoCustomer => ({
  fullName,
  email: `${email}@customer.test`,
  locale: /\p{Script=Arabic}/u.test(fullName) ? "ar" : "en",
});

const KARAK: House = {
  key: "karak",
  businessName: "Karak House",
  image: { from: "#7c2d12", to: "#d97706", accent: "#fde68a", sign: "cup" },
  owner: { firstName: "Noora", lastName: "Al-Kuwari", email: "owner@karak.test", phone: "+97455012001" },
  workers: [
    { firstName: "Ravi", lastName: "Menon", email: "worker@karak.test", phone: "+97455012002", branch: 0 },
    { firstName: "Grace", lastName: "Santos", email: "grace@karak.test", phone: "+97455012003", branch: 1 },
  ],
  branches: [
    { name: "The Pearl", city: "Doha" },
    { name: "Al Wakrah", city: "Al Wakrah" },
  ],
  topUps: [20, 50, 50, 100, 100, 150, 200],
  purchases: [6, 8, 12, 15, 18, 22, 25, 34, 40],
  customers: [
    c("Layla Haddad", "layla"),
    c("محمد الكواري", "m.alkuwari"),
    c("فاطمة المري", "fatima.almarri"),
    c("Abdulla Al-Thani", "abdulla.althani"),
    c("نورة الهاجري", "noora.alhajri"),
    c("Priya Nair", "priya.nair"),
    c("حمد السليطي", "hamad.alsulaiti"),
    c("Maria Santos", "maria.santos"),
    c("مريم الدوسري", "maryam.aldosari"),
    c("Omar Khalil", "omar.khalil"),
    c("خالد العطية", "khalid.alattiyah"),
    c("Sofia Martins", "sofia.martins"),
    c("عائشة النعيمي", "aisha.alnuaimi"),
    c("James O'Connor", "james.oconnor"),
    c("جاسم الخليفي", "jassim.alkhulaifi"),
    c("Dina Farouk", "dina.farouk"),
    c("سلمى بن يوسف", "salma.benyoussef"),
    c("Arjun Pillai", "arjun.pillai"),
    c("تميم المناعي", "tamim.almannai"),
    c("Hana Yoshida", "hana.yoshida"),
    c("ريم الأنصاري", "reem.alansari"),
    c("Bilal Chaudhry", "bilal.chaudhry"),
    c("يوسف الجابر", "yousef.aljaber"),
    c("Elena Petrova", "elena.petrova"),
    c("هيا الكعبي", "haya.alkaabi"),
    c("Samuel Mensah", "samuel.mensah"),
    c("ناصر الشمري", "nasser.alshammari"),
    c("Mei Ling Tan", "meiling.tan"),
    c("العنود المسند", "alanoud.almissned"),
    c("Karim Benali", "karim.benali"),
  ],
  erased: true,
};

const ORYX: House = {
  key: "oryx",
  businessName: "Oryx Books",
  image: { from: "#134e4a", to: "#0891b2", accent: "#ccfbf1", sign: "book" },
  owner: { firstName: "Yousef", lastName: "Al-Emadi", email: "owner@oryx.test", phone: "+97455013001" },
  workers: [
    { firstName: "Amal", lastName: "Hassan", email: "worker@oryx.test", phone: "+97455013002", branch: 0 },
  ],
  branches: [
    { name: "Msheireb", city: "Doha" },
    { name: "Education City", city: "Al Rayyan" },
  ],
  topUps: [50, 100, 100, 150, 200, 300, 500],
  purchases: [25, 35, 42, 55, 60, 79, 95, 120],
  customers: [
    c("Layla Haddad", "layla"),
    c("عبدالرحمن الباكر", "a.albaker"),
    c("Charlotte Dubois", "charlotte.dubois"),
    c("شيخة المالكي", "shaikha.almalki"),
    c("Daniel Kim", "daniel.kim"),
    c("لولوة الرميحي", "lolwa.alrumaihi"),
    c("Ahmed Mansour", "ahmed.mansour"),
    c("سعود العبدالله", "saoud.alabdulla"),
    c("Nadia Rahman", "nadia.rahman"),
    c("موزة المهندي", "moza.almohannadi"),
    c("Thomas Weber", "thomas.weber"),
    c("راشد البوعينين", "rashid.albuainain"),
    c("Grace Wanjiru", "grace.wanjiru"),
    c("دانة السادة", "dana.alsada"),
    c("Ibrahim Diallo", "ibrahim.diallo"),
    c("غانم الفضالة", "ghanim.alfadala"),
    c("Anjali Menon", "anjali.menon"),
    c("بدر اليافعي", "bader.alyafei"),
    c("Lucia Romano", "lucia.romano"),
    c("هند الحمادي", "hind.alhammadi"),
    c("Faisal Qureshi", "faisal.qureshi"),
    c("سارة الملا", "sara.almulla"),
    c("Peter Novak", "peter.novak"),
    c("علي الحبابي", "ali.alhababi"),
    c("Zainab Jaffer", "zainab.jaffer"),
    c("منيرة الخاطر", "munira.alkhater"),
    c("Oliver Grant", "oliver.grant"),
  ],
  erased: false,
};

export const HOUSES: readonly House[] = [KARAK, ORYX];

export const PENDING = {
  businessName: "Saffron Kitchen",
  owner: { firstName: "Mariam", lastName: "Al-Sayed", email: "owner@pending.test", phone: "+97455014001" },
  branch: { name: "Souq Waqif", city: "Doha" },
};

export const ADMINISTRATORS = [
  { role: "super_admin", firstName: "Sara", lastName: "Al-Ansari", email: "super@wallet.test" },
  { role: "admin", firstName: "Adam", lastName: "Rahim", email: "admin@wallet.test" },
] as const;
