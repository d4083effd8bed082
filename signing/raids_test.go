package signing

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// A raid is an attack that must be refused, or an odd transaction that is honest.
type raid struct {
	name   string
	scene  *scene
	honest bool
}

func attack(name string, change func(*scene), ins ...txbuild.Instruction) raid {
	s := ordinary(ins...)
	if change != nil {
		change(s)
	}
	return raid{name: name, scene: s}
}

func odd(name string, change func(*scene), ins ...txbuild.Instruction) raid {
	r := attack(name, change, ins...)
	r.honest = true
	return r
}

// runRaids tries each row in each format that can carry it.
func runRaids(t *testing.T, raids []raid) {
	t.Helper()
	for _, r := range raids {
		formats := txbuild.Formats
		if len(r.scene.build.Tables) > 0 {
			formats = []txbuild.Format{txbuild.V0}
		}
		for _, format := range formats {
			t.Run(r.name+"/"+format.String(), func(t *testing.T) {
				_, _, err := r.scene.sign(t, NewGuard(r.scene.policy), format)
				if r.honest {
					require.NoError(t, err, "honest")
					return
				}
				require.Error(t, err, "signed")
				t.Log(err)
			})
		}
	}
}

var (
	tradeD    = Discriminator{9, 8, 7, 6, 5, 4, 3, 2}
	quoteD    = Discriminator{9, 8, 7, 6, 5, 4, 3, 1}
	withdrawD = Discriminator{1, 1, 1, 1, 1, 1, 1, 1}
)

func pinned(pins ...Pin) func(*scene) {
	return func(s *scene) { s.policy.TypedPins = map[string][]Pin{"swap": pins} }
}

func all(changes ...func(*scene)) func(*scene) {
	return func(s *scene) {
		for _, c := range changes {
			c(s)
		}
	}
}

func pin(d []Discriminator, may ...Role) Pin {
	return Pin{Program: exchange, Instructions: d, MayWrite: may}
}

func cat(parts ...[]byte) (out []byte) {
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// TestAttackedPins attacks the typed pins with a service that is allowed blind, so that
// nothing else stands in the way.
func TestAttackedPins(t *testing.T) {
	trade := []Discriminator{tradeD}
	w, ro, sig, ws := txbuild.Writable, txbuild.Readonly, txbuild.Signer, txbuild.WritableSigner
	call := func(data []byte,
		a ...txbuild.Account) txbuild.Instruction {
		return txbuild.Call(exchange, data, a...)
	}
	ok := call(cat(tradeD, []byte{1}), w(ourUSDC))
	spent := pinned(pin(trade, SpentAccount))
	aux := addressOf("aux")
	fixedKey := func(s *scene) {
		s.policy.Accounts = append(s.policy.Accounts,
			OwnAccount{Address: aux, Mint: bonk})
	}
	receives := func(mint PublicKey) func(*scene) {
		return func(s *scene) { s.intent.Receive = []walletfi.Asset{{Mint: mint.String(), Amount: 1}} }
	}
	ourUSDC22 := AssociatedTokenAddress(owner, usdc, Token2022Program)
	ourWrapped22 := AssociatedTokenAddress(owner, NativeMint, Token2022Program)
	runRaids(t, []raid{
		// Discriminators.
		attack("seven bytes of eight", spent, call(tradeD[:7], w(ourUSDC))),
		attack("one byte of eight", spent, call(tradeD[:1], w(ourUSDC))),
		attack("no data", spent, call(nil, w(ourUSDC))),
		attack("eight zero bytes", spent, call(make([]byte, 8), w(ourUSDC))),
		attack("the last byte differs", spent, call(cat(quoteD, tradeD), w(ourUSDC))),
		attack("a byte before it", spent, call(cat([]byte{0}, tradeD), w(ourUSDC))),
		attack("reversed", spent, call([]byte{2, 3, 4, 5, 6, 7, 8, 9}, w(ourUSDC))),
		attack("hexadecimal text of it", spent, call([]byte("0908070605040302"), w(ourUSDC))),
		attack("it comes later", spent, call(cat(withdrawD, tradeD), w(ourUSDC))),
		attack("only the empty one", pinned(pin([]Discriminator{{}}, AnyAccount)), call(tradeD, w(ourUSDC))),
		attack("the empty one and another", pinned(pin([]Discriminator{{}, tradeD}, AnyAccount)),
			call(withdrawD, w(ourUSDC))),
		attack("the empty one, no data", pinned(pin([]Discriminator{{}, tradeD}, AnyAccount)),
			call(nil, w(ourUSDC))),
		attack("nil among them", pinned(pin([]Discriminator{nil, tradeD}, AnyAccount)), call(nil, w(ourUSDC))),
		attack("longer than the data", pinned(pin([]Discriminator{cat(tradeD, tradeD)}, AnyAccount)),
			call(tradeD, w(ourUSDC))),
		// A long one is narrower than a short one that begins it.
		attack("the short one may write less",
			pinned(pin([]Discriminator{{9}}), pin([]Discriminator{tradeD}, AnyAccount)), call(quoteD, w(ourUSDC))),
		attack("the roles of another instruction",
			pinned(pin(trade, OwnerWallet), pin([]Discriminator{quoteD}, SpentAccount)), call(tradeD, w(ourUSDC))),
		attack("the roles of another program",
			pinned(pin(trade, OwnerWallet),
				Pin{Program: rogue, Instructions: trade, MayWrite: []Role{AnyAccount}}), call(tradeD, w(ourUSDC))),
		attack("two pins, neither has the role", pinned(pin(trade, OwnerWallet), pin(trade, ReceivedAccount)),
			call(tradeD, w(ourUSDC))),
		attack("any instruction, but no account", pinned(pin(nil)), call(withdrawD, w(ourUSDC))),
		attack("any instruction, no account; this one, another account", pinned(pin(nil), pin(trade, NamedAccount)),
			call(tradeD, w(ourUSDC))),
		// The plain list does not widen.
		attack("the plain list has it too",
			all(spent,
				func(s *scene) {
					s.policy.Pins["swap"] = append(s.policy.Pins["swap"], exchange,
						exchange)
				}), call(withdrawD, w(ourUSDC))),
		attack("the plain list of another service",
			all(spent, func(s *scene) { s.policy.Pins["amm"] = []PublicKey{exchange} }), call(withdrawD,
				w(ourUSDC))),
		attack("a typed pin of another service",
			all(spent, func(s *scene) { s.policy.TypedPins["amm"] = []Pin{pin(nil, AnyAccount)} }), call(withdrawD,
				w(ourUSDC))),
		attack("the service of another case",
			all(spent, func(s *scene) { s.intent.Service = "Swap"; s.policy.AllowBlind = []string{"Swap"} }), ok),
		attack("no service", all(spent, func(s *scene) { s.intent.Service = "" }), ok),
		attack("a service with a space", all(spent, func(s *scene) { s.intent.Service = "swap " }), ok),
		// The accounts.
		attack("a second account of ours", all(spent, fixedKey), call(tradeD, w(ourUSDC), w(aux))),
		attack("twice, the second is another", all(spent, fixedKey),
			call(tradeD, w(ourUSDC), w(ourUSDC), w(ourWrapped), w(aux))),
		attack("known by its mint elsewhere in the transaction", spent, call(tradeD, w(ourUSDC), w(ourBonk)),
			call(quoteD, ro(bonk))),
		attack("known by its mint in the same call", spent, call(tradeD, w(ourUSDC), w(ourBonk), ro(bonk))),
		attack("known by its mint in a memo's accounts", spent, call(tradeD, w(ourUSDC), w(ourBonk)),
			txbuild.Instruction{Program: txbuild.MemoV2, Accounts: []txbuild.Account{ro(bonk)}, Data: []byte("x")}),
		attack("the owner too", spent, call(tradeD, w(ourUSDC), ws(owner))),
		attack("read only here, written by a revoke", all(spent, fixedKey), call(tradeD, ro(aux)),
			t22.Revoke(aux, owner)),
		attack("read only here, written by a create", spent, call(tradeD, ro(ourBonk)),
			txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, true)),
		attack("read only here, written by another call",
			all(fixedKey, pinned(pin(trade, SpentAccount), pin([]Discriminator{quoteD}, AnyAccount))), call(tradeD,
				ro(aux)), call(quoteD, w(aux))),
		attack("the owner pays, read only here", spent, call(tradeD, ro(owner))),
		attack("the owner signs only, and pays", spent, call(tradeD, sig(owner))),
		attack("our account of the other token program", spent, call(tradeD, w(ourUSDC22)),
			txbuild.CreateATA(owner, ourUSDC22, owner, usdc, Token2022Program, true), call(tradeD,
				w(ourBonk)), txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, true)),
		attack("a listed one of a mint nobody spends", all(spent, fixedKey), call(tradeD, w(aux))),
		attack("received is not spent", all(spent, receives(bonk)), call(tradeD, w(ourBonk)),
			txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, true)),
		attack("spent is not received", all(pinned(pin(trade, ReceivedAccount)), receives(bonk)),
			call(tradeD, w(ourUSDC), w(ourBonk))),
		attack("spent is not made", pinned(pin(trade, MadeAccount)),
			txbuild.CreateATA(owner, ourUSDC, owner, usdc, TokenProgram, true), ok),
		attack("made by a later instruction, idempotently", pinned(pin(trade, MadeAccount)),
			call(tradeD, w(ourBonk)), txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, true)),
		attack("owner is not any", pinned(pin(trade, OwnerWallet)), call(tradeD, ws(owner), w(ourUSDC))),
		attack("named is not listed of a key", pinned(pin(trade, NamedAccount)), call(tradeD, w(ourUSDC))),
		attack("an empty role", pinned(pin(trade, "")), ok),
		attack("a role in capitals", pinned(pin(trade, "Spent")), ok),
		attack("a role with a space", pinned(pin(trade, " spent")), ok),
		attack("a star", pinned(pin(trade, "*")), ok),
		attack("a key as a role", pinned(pin(trade, Role(ourUSDC.String()))), ok),
		// A protected account stands above every pin.
		attack("a protected account, any", all(pinned(pin(nil, AnyAccount))), call(tradeD, w(guarded))),
		// Programs that have a rule.
		attack("System pinned, any", func(s *scene) {
			s.policy.TypedPins = map[string][]Pin{"swap": {{Program: SystemProgram, MayWrite: []Role{AnyAccount}}}}
		}, txbuild.Transfer(owner, thief, 500_000)),
		attack("Token pinned, any", func(s *scene) {
			s.policy.TypedPins = map[string][]Pin{"swap": {{Program: TokenProgram, MayWrite: []Role{AnyAccount}}}}
		}, spl.SetAuthority(ourUSDC, owner, 2, thief)),
		attack("Token-2022 pinned, approve", func(s *scene) {
			s.policy.TypedPins = map[string][]Pin{"swap": {{Program: Token2022Program,
				MayWrite: []Role{AnyAccount}}}}
		}, t22.Approve(ourBonk, thief, owner, 1)),
		attack("the stake program pinned, any", func(s *scene) {
			s.policy.TypedPins = map[string][]Pin{"swap": {{Program: StakeProgram, MayWrite: []Role{AnyAccount}}}}
		}, txbuild.Call(StakeProgram, []byte{0}, w(vault), sig(owner))),
		attack("the loader pinned, any", func(s *scene) {
			s.policy.TypedPins = map[string][]Pin{"swap": {{Program: UpgradeableLoader,
				MayWrite: []Role{AnyAccount}}}}
		}, txbuild.Call(UpgradeableLoader, []byte{4}, w(vault), sig(owner))),
		attack("the zero program", func(s *scene) {
			s.policy.TypedPins = map[string][]Pin{"swap": {{MayWrite: []Role{AnyAccount}}}}
		}, txbuild.Transfer(owner, thief, 500_000)),
		attack("the lookup program pinned, any", func(s *scene) {
			s.policy.TypedPins = map[string][]Pin{"swap": {{Program: LookupTableProgram,
				MayWrite: []Role{AnyAccount}}}}
		}, txbuild.Call(LookupTableProgram, []byte{0}, w(vault), sig(owner))),
		// Tables.
		attack("an unknown account behind a table", all(behindTables, unprotected, spent), call(tradeD, w(vault))),
		attack("our account behind a known table",
			all(behindTables, resolved, unprotected, pinned(pin(trade, ReceivedAccount))), call(tradeD,
				w(ourUSDC))),
		attack("our wrapped account behind a known table",
			all(behindTables, resolved, unprotected, pinned(pin(trade, NamedAccount))), call(tradeD,
				w(ourWrapped))),
		attack("a protected account behind a known table",
			all(behindTables, resolved, pinned(pin(nil, AnyAccount))), call(tradeD, w(guarded))),
		attack("a protected account behind an unknown table", all(behindTables, pinned(pin(nil, AnyAccount))),
			call(tradeD, w(guarded))),
		attack("the same, static and behind a table", all(behindTables, unprotected, spent),
			call(tradeD, w(ourUSDC), w(stranger))),
		// Another payer.
		attack("the owner as a writable signer beside the sponsor",
			all(spent, func(s *scene) { s.build.Payer, s.intent.Sponsor = sponsor, sponsor.String() }), call(tradeD,
				ws(owner), w(ourUSDC))),
		attack("a nested call of an unpinned program", spent, ok, txbuild.Call(rogue, tradeD, w(vault))),
		attack("our wrapped account of Token-2022's", spent, call(tradeD, w(ourWrapped22), w(ourBonk), ro(bonk))),
		attack("a foreign rent beside a call", spent, ok,
			txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, false), txbuild.Transfer(owner, thief,
				400_000)),
		attack("a new account of the program that takes our lamports", spent,
			txbuild.CreateAccount(owner, fresh, 50_000_000, 10, exchange), call(tradeD, w(fresh))),
		attack("a call that spends, and a transfer of all", spent, ok,
			spl.TransferChecked(ourUSDC, usdc, vault, owner, 501, 6)),
		attack("many calls, the last another", spent, append(times(20, ok), call(withdrawD, w(ourUSDC)))...),

		odd("exact discriminator", spent, call(tradeD, w(ourUSDC))),
		odd("a long tail", spent, call(cat(tradeD, make([]byte, 300)), w(ourUSDC))),
		odd("a call of nothing of ours, and another's writes", spent, call(tradeD, w(vault), w(thief))),
		odd("our wrapped account, spent as SOL", spent, call(tradeD, w(ourWrapped))),
		odd("both pins of one instruction", pinned(pin(trade, SpentAccount), pin(trade, OwnerWallet)),
			call(tradeD, ws(owner), w(ourUSDC))),
		odd("a sponsor pays, the owner reads",
			all(spent, func(s *scene) { s.build.Payer, s.intent.Sponsor = sponsor, sponsor.String() }), call(tradeD,
				sig(owner), w(ourUSDC))),
		odd("twice the same account", spent, call(tradeD, w(ourUSDC), w(ourUSDC))),
		odd("many calls", spent, times(20, ok)...),
		odd("our account behind a known table", all(behindTables, resolved, unprotected, spent),
			call(tradeD, w(ourUSDC))),
		odd("made strictly", pinned(pin(trade, MadeAccount)),
			txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, false), call(tradeD, w(ourBonk))),
		odd("a fee account, a burn account", pinned(pin(trade, SpentAccount)),
			call(tradeD, w(ourUSDC), w(ourPump))),
		odd("two discriminators", pinned(pin([]Discriminator{quoteD, tradeD}, SpentAccount)),
			call(tradeD, w(ourUSDC)), call(quoteD, w(ourUSDC))),
		odd("a one byte discriminator", pinned(pin([]Discriminator{{9}}, SpentAccount)),
			call([]byte{9}, w(ourUSDC))),
		odd("an event's self call account, read only", spent,
			call(tradeD, w(ourUSDC), ro(exchange), ro(owner.other()))),
		odd("received SOL is the owner's",
			all(pinned(pin(trade, ReceivedAccount, OwnerWallet)), receives(NativeMint)), call(tradeD, ws(owner),
				w(ourWrapped))),
	})
}

// other is another key that nobody knows.
func (k PublicKey) other() PublicKey { k[0] ^= 1; return k }

// TestAttackedPinsCopied: what the caller changes afterwards changes no guard.
func TestAttackedPinsCopied(t *testing.T) {
	s := ordinary(txbuild.Call(exchange, withdrawD, txbuild.Writable(ourUSDC)))
	pins := []Pin{pin([]Discriminator{append(Discriminator{}, tradeD...)}, SpentAccount)}
	s.policy.TypedPins = map[string][]Pin{"swap": pins}
	g := NewGuard(s.policy)
	copy(pins[0].Instructions[0], withdrawD)
	pins[0].Instructions = nil
	s.policy.TypedPins["swap"] = []Pin{pin(nil, AnyAccount)}
	_, _, err := s.sign(t, g, txbuild.V0)
	require.ErrorIs(t, err, ErrRefused)
	_, _, err = s.sign(t, g.WithNode(nil, nil), txbuild.V0)
	require.ErrorIs(t, err, ErrRefused)
}
