// Programs of a few instructions, written by hand: the toolchain of the virtual machine is not needed.

// op is one instruction: eight bytes, of which the registers share one.
function op(code, to, from, offset, value) {
  const b = Buffer.alloc(8);
  b.writeUInt8(code, 0);
  b.writeUInt8(to | (from << 4), 1);
  b.writeInt16LE(offset, 2);
  b.writeInt32LE(value | 0, 4);
  return b;
}

const set = (to, value) => op(0xb7, to, 0, 0, value);
const copy = (to, from) => op(0xbf, to, from, 0, 0);
const plus = (to, value) => op(0x07, to, 0, 0, value);
const load = (to, from, offset) => op(0x79, to, from, offset, 0);
const loadByte = (to, from, offset) => op(0x71, to, from, offset, 0);
const store = (to, offset, from) => op(0x7b, to, from, offset, 0);
const storeByte = (to, offset, from) => op(0x73, to, from, offset, 0);
const exit = op(0x95, 0, 0, 0, 0);
const heap = (to, at) => Buffer.concat([op(0x18, to, 0, 0, at), op(0, 0, 0, 0, 3)]); // 0x300000000 and so many bytes

const nothing = Buffer.concat([set(0, 0), exit]);

// Where relay builds its call: the instruction, what it says of accounts, and what the caller shows of them.
const called = 0x100;
const metas = 0x200;
const infos = 0x1000;

// one reads the account at r6 of what the program was given, and writes it at r8 and r9.
const one = Buffer.concat([
  copy(1, 6), plus(1, 8), store(8, 0, 1), store(9, 0, 1), // its address
  loadByte(2, 6, 1), storeByte(8, 9, 2), storeByte(9, 48, 2), // signs
  loadByte(2, 6, 2), storeByte(8, 8, 2), storeByte(9, 49, 2), // is writable
  loadByte(2, 6, 3), storeByte(9, 50, 2), // is executable
  copy(1, 6), plus(1, 40), store(9, 32, 1), // its owner
  plus(1, 32), store(9, 8, 1), // lamports
  load(4, 6, 80), store(9, 16, 4), // so many bytes
  plus(1, 16), store(9, 24, 1), // of data
  op(0x0f, 6, 4, 0, 0), plus(6, 88 + 10240 + 7), op(0x57, 6, 0, 0, -8), // and room to grow
  load(1, 6, 0), store(9, 40, 1), plus(6, 8), // rent epoch
  plus(8, 16), plus(9, 56), plus(0, 1),
]);

// relay calls the program that is its last account with the other accounts, as they were given to it, and
// with its data. It fails if an account comes twice.
const relay = (() => {
  const start = Buffer.concat([copy(6, 1), load(7, 6, 0), plus(6, 8), heap(8, metas), heap(9, infos), set(0, 0)]);
  const body = one.length / 8;
  const call = Buffer.concat([
    heap(1, called), load(2, 9, -56), store(1, 0, 2), heap(3, metas), store(1, 8, 3),
    copy(2, 7), plus(2, -1), store(1, 16, 2), // accounts
    load(4, 6, 0), store(1, 32, 4), copy(2, 6), plus(2, 8), store(1, 24, 2), // data
    heap(2, infos), copy(3, 7), set(4, 0), set(5, 0),
  ]);
  const loop = Buffer.concat([
    op(0x1d, 0, 7, body + 3, 0), // all are read: to the call
    loadByte(1, 6, 0), op(0x55, 1, 0, body + 1 + call.length / 8 + 3, 255), // it was there before: to the end
    one, op(0x05, 0, 0, -(body + 4), 0),
  ]);
  const at = start.length + loop.length + call.length;
  return { text: Buffer.concat([start, loop, call, op(0x85, 0, 1, 0, -1), set(0, 0), exit, set(0, 1), exit]), at };
})();

const u16 = (n) => { const b = Buffer.alloc(2); b.writeUInt16LE(n); return b; };
const u32 = (n) => { const b = Buffer.alloc(4); b.writeUInt32LE(n); return b; };
const u64 = (n) => { const b = Buffer.alloc(8); b.writeBigUInt64LE(BigInt(n)); return b; };

// elf is a shared object of the virtual machine, with a call of sol_invoke_signed_c at an offset if there is one.
function elf(text, call) {
  const base = 64;
  const sections = [['.text', 1, 6, text]];
  if (call !== undefined) {
    const names = Buffer.from('\0sol_invoke_signed_c\0', 'latin1');
    const symbols = Buffer.concat([Buffer.alloc(24), u32(1), Buffer.from([0x10, 0]), u16(0), u64(0), u64(0)]);
    const relocation = Buffer.concat([u64(base + call), u64((1n << 32n) | 10n)]);
    const from = base + text.length;
    const symbolsAt = from + 24 + 8;
    const relocationAt = symbolsAt + symbols.length;
    const dynamic = [[6, symbolsAt], [17, relocationAt], [18, relocation.length], [19, 16], [0, 0]];
    sections.push(['.dynstr', 3, 2, Buffer.concat([names, Buffer.alloc(32 - names.length)])],
      ['.dynsym', 11, 2, symbols], ['.rel.dyn', 9, 2, relocation],
      ['.dynamic', 6, 3, Buffer.concat(dynamic.flat().map(u64))]);
  }
  const names = Buffer.from('\0' + sections.map((s) => s[0] + '\0').join('') + '.shstrtab\0', 'latin1');
  sections.push(['.shstrtab', 3, 0, Buffer.concat([names, Buffer.alloc(-names.length & 7)])]);
  let at = base;
  const headers = [Buffer.alloc(64)];
  for (const [name, kind, flags, bytes] of sections) {
    const size = { 11: 24, 9: 16, 6: 16 }[kind] ?? 0;
    headers.push(Buffer.concat([u32(names.indexOf(name + '\0', 0, 'latin1')), u32(kind), u64(flags), u64(flags ? at : 0),
      u64(at), u64(bytes.length), u32(0), u32(0), u64(8), u64(size)]));
    at += bytes.length;
  }
  const counts = [64, 56, 0, 64, headers.length, headers.length - 1].map(u16);
  const header = Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(9), u16(3), u16(247), u32(1),
    u64(base), u64(0), u64(at), u32(0), ...counts]);
  return Buffer.concat([header, ...sections.map((s) => s[3]), ...headers]);
}

// programs are by name: one that does nothing, and one that calls another.
export const programs = { nothing: elf(nothing), relay: elf(relay.text, relay.at) };
