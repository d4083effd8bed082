package corpus

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// encodingAttacks rely on a parser and a signer that read the same text
// differently.
func (k *cast) encodingAttacks() []technique {
	attack := k.looting("G1")
	old := []Format{Legacy, V0}
	return []technique{
		attack("a byte behind the last", "smuggle bytes past the guard").
			tampered(func(_ txbuild.Format, raw []byte) []byte { return append(raw, 0) }),
		attack("a second transaction behind the first", "have another transaction signed").
			tampered(func(_ txbuild.Format, raw []byte) []byte { return append(raw, raw...) }).
			with(func(s *scene) { s.last().Instructions = append(s.last().Instructions, txbuild.Memo("doubled")) }),
		attack("zeros up to the packet's end", "pass for a padded transaction").
			tampered(func(_ txbuild.Format, raw []byte) []byte { return append(raw, make([]byte, 1232-len(raw))...) }),
		attack("past the packet's size", "be cut off on the way").with(func(s *scene) {
			s.last().Instructions = append(s.last().Instructions, txbuild.Memo(strings.Repeat("x", 1100)))
		}).as(old...),
		attack("past the size of v1", "be cut off on the way").with(func(s *scene) {
			s.last().Instructions = append(s.last().Instructions, txbuild.Memo(strings.Repeat("y", 3900)))
		}).as(V1).raw(),
		attack("key count in two bytes", "be read as another count").tampered(longCount).as(old...),
		attack("instruction count in two bytes", "be read as another count").
			tampered(func(f txbuild.Format, raw []byte) []byte {
				at := keyCountAt(f, raw)
				return lengthened(raw, at+1+32*int(raw[at])+32)
			}).as(old...),
		attack("a signature slot too many", "shift what is signed").tampered(func(_ txbuild.Format, raw []byte) []byte {
			raw[0]++
			return slices.Insert(raw, 1, make([]byte, 64)...)
		}).as(old...).raw(),
		attack("cut within the message", "have the rest guessed").
			tampered(func(_ txbuild.Format, raw []byte) []byte { return raw[:len(raw)-70] }).raw(),
		attack("without the signature slots", "have slots added and the bytes moved").
			tampered(func(f txbuild.Format, raw []byte) []byte {
				if f == txbuild.V1 {
					return raw[:len(raw)-64]
				}
				return append([]byte{0}, raw[65:]...)
			}).raw(),
		attack("nothing at all", "be taken for signed").tampered(func(txbuild.Format, []byte) []byte { return nil }).
			as(Legacy).raw(),
		attack("base64 with line breaks", "be read leniently").encoded(func(raw []byte) walletfi.EncodedTransaction {
			text := string(base64Of(raw))
			return walletfi.Base64Transaction(text[:64] + "\r\n" + text[64:])
		}),
		attack("base64 with bits to spare", "give one transaction two texts").
			encoded(func(raw []byte) walletfi.EncodedTransaction { return spareBits(raw) }),
		attack("base64 of the URL alphabet", "be read leniently").encoded(func(raw []byte) walletfi.EncodedTransaction {
			return walletfi.Base64Transaction(" " + base64.URLEncoding.EncodeToString(raw))
		}),
		attack("base64 named base58", "be read as another text").encoded(func(raw []byte) walletfi.EncodedTransaction {
			return walletfi.Base58Transaction(base64Of(raw))
		}),
		attack("base58 longer than any", "have the reader work for a minute").
			encoded(func([]byte) walletfi.EncodedTransaction {
				return walletfi.Base58Transaction(strings.Repeat("z", 100_000))
			}).as(V0),
	}
}

// encoded writes the text by f; what comes out is no text that can be read.
func (t technique) encoded(f func([]byte) walletfi.EncodedTransaction) technique {
	t.scene.last().encode = f
	return t.raw()
}

func longCount(f txbuild.Format, raw []byte) []byte { return lengthened(raw, keyCountAt(f, raw)) }

// lengthened writes the count at an offset in two bytes, which is not its
// shortest form.
func lengthened(raw []byte, at int) []byte {
	raw[at] |= 0x80
	return slices.Insert(raw, at+1, 0)
}

// spareBits sets bits of the last character that no byte has. A text without
// any gets a character too many.
func spareBits(raw []byte) walletfi.Base64Transaction {
	b := []byte(base64Of(raw))
	padding := bytes.Count(b, []byte("="))
	if padding == 0 {
		return walletfi.Base64Transaction(append(b, 'A'))
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	at := len(b) - padding - 1
	b[at] = alphabet[strings.IndexByte(alphabet, b[at])|1]
	return walletfi.Base64Transaction(b)
}

// versionAttacks come in formats without rules.
func (k *cast) versionAttacks() []technique {
	attack := func(name string) technique {
		return k.attack("G2", name, "be read by rules that are not its own", k.loot())
	}
	message := func(version uint8) func(txbuild.Format, []byte) []byte {
		return func(f txbuild.Format, raw []byte) []byte {
			if f == txbuild.Legacy { // a legacy message has no version: give it one, and no lookups
				return append(slices.Insert(raw, headerAt(f, raw), version), 0)
			}
			raw[headerAt(f, raw)-1] = version
			return raw
		}
	}
	first := func(version uint8) func(txbuild.Format, []byte) []byte {
		return func(_ txbuild.Format, raw []byte) []byte { raw[0] = version; return raw }
	}
	return []technique{
		attack("a message of version 1 behind signatures").tampered(message(0x81)).as(Legacy, Set).of(txbuild.Legacy),
		attack("a message of version 2 behind signatures").tampered(message(0x82)).as(V0, Set).of(txbuild.V0),
		attack("a message of version 127 behind signatures").tampered(message(0xff)).as(Legacy, Set).of(txbuild.V0),
		attack("a transaction of version 2").tampered(first(0x82)).raw(),
		attack("a transaction of version 127").tampered(first(0xff)).raw(),
	}
}

// of fixes the format of a set's transactions.
func (t technique) of(f txbuild.Format) technique {
	t.scene.last().needs = &f
	return t
}

// sanityAttacks are what every node refuses, and some parsers crash on.
func (k *cast) sanityAttacks() []technique {
	attack := func(name, aim string, last ins) technique { return k.attack("G3", name, aim, k.loot(), last) }
	touch := k.trade(txbuild.Readonly(k.pool))
	touch.Data = nil
	two := k.trade(txbuild.Readonly(k.pool), txbuild.Readonly(k.vault))
	const lootSize = 2 + 12
	return []technique{
		attack("an account index out of range", "crash the reader, or have it guess", touch).tampered(lastAccount(200)),
		attack("an account index one past the end", "crash the reader, or have it guess", touch).
			tampered(func(f txbuild.Format, raw []byte) []byte {
				return lastAccount(raw[keyCountAt(f, raw)])(f, raw)
			}),
		attack("the fee payer called as a program", "hide which program runs", touch).tampered(lastProgram(0, lootSize)).
			with(func(s *scene) {
				s.policy.Pins["swap"] = append(s.policy.Pins["swap"], k.owner)
			}),
		attack("a program index out of range", "hide which program runs", touch).tampered(lastProgram(99, lootSize)).
			with(func(s *scene) {
				s.policy.Pins["swap"] = append(s.policy.Pins["swap"], Key{0xff, 0xff})
			}),
		attack("a key twice", "be one account here and another there", two).tampered(replaced(k.vault, k.pool)),
		attack("the owner's key twice", "be written where it seems read-only", two).tampered(replaced(k.vault, k.owner)),
		attack("a read-only fee payer", "have the fee fall on nobody", touch).
			tampered(header(func(h []byte) { h[1] = h[0] })),
		attack("more read-only accounts than there are", "confuse what may be written", touch).
			tampered(header(func(h []byte) { h[2] = 100 })),
	}
}

// sanityAttacksV0 are about lookup tables.
func (k *cast) sanityAttacksV0() []technique {
	attack := func(name, aim string, lookups ...byte) technique {
		return k.attack("G3", name, aim, k.loot()).tampered(tables(lookups...)).as(V0)
	}
	full := slices.Concat([]byte{1}, k.table[:], []byte{0xff, 1}, make([]byte, 255), []byte{0})
	empty := slices.Concat([]byte{1}, k.table[:], []byte{0, 0})
	two := slices.Concat([]byte{2}, k.table[:], []byte{0, 1, 0}, k.pool[:], []byte{0, 0})
	return []technique{
		attack("a table that loads nothing", "shift the accounts of a lenient reader", empty...),
		attack("a second table that loads nothing", "shift the accounts of a lenient reader", two...),
		attack("more than 256 accounts", "have an index mean two accounts", full...),
		attack("a called program out of a table", "hide which program runs",
			slices.Concat([]byte{1}, k.table[:], []byte{0, 1, 7})...).with(func(s *scene) {
			s.last().Instructions = append(s.last().Instructions, ins{
				Program:  k.exchange,
				Accounts: []txbuild.Account{txbuild.Readonly(k.pool)},
			})
			s.policy.Pins["swap"] = append(s.policy.Pins["swap"], Key{0xff, 0xff})
		}).tampered(func(f txbuild.Format, raw []byte) []byte {
			count := raw[keyCountAt(f, raw)]
			raw = lastProgram(count, 0)(f, raw)
			return tables(slices.Concat([]byte{1}, k.table[:], []byte{0, 1, 7})...)(f, raw)
		}),
	}
}

// sanityAttacksV1 are past what the v1 format allows.
func (k *cast) sanityAttacksV1() []technique {
	attack := func(name, aim string, more ...ins) technique {
		return k.attack("G3", name, aim, append([]ins{k.loot()}, more...)...).as(V1)
	}
	var crowd []txbuild.Account
	for i := range 64 {
		crowd = append(crowd, txbuild.Readonly(k.address("crowd "+string(rune('0'+i)))))
	}
	return []technique{
		attack("more than 64 instructions in v1", "have the rest ignored", times(64, txbuild.Memo("x"))...),
		attack("more than 64 accounts in v1", "have the rest ignored", k.trade(crowd...)),
		attack("more than 12 signers in v1", "have the rest ignored").with(func(s *scene) {
			for _, a := range crowd[:12] {
				s.last().Signers = append(s.last().Signers, a.Key)
			}
			s.policy.LateCoSigners = 12
		}),
		attack("a config bit that means nothing yet", "mean something to the node alone").tampered(configured(1<<5, 4)),
		attack("half a priority fee", "be read as another fee").tampered(configured(1, 4)),
		attack("the other half of a priority fee", "be read as another fee").tampered(configured(2, 4)),
	}
}
