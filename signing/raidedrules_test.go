package signing

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestAttackedRules attacks the other rules: arrival, rent, sponsors.
func TestAttackedRules(t *testing.T) {
	w, ro, sig := txbuild.Writable, txbuild.Readonly, txbuild.Signer
	bare := func(s *scene) {
		s.intent.Spend, s.intent.ServiceFee, s.intent.TipLamports, s.intent.Burn = nil, nil, 0, nil
	}
	gets := func(mint PublicKey) func(*scene) { return all(bare, receive(mint, 1)) }
	paid := func(s *scene) { s.intent.CoSigners = append(s.intent.CoSigners, maker.String()) }
	sponsored := all(bare, paidBySponsor)
	aux := addressOf("aux")
	auxOf := func(mint PublicKey) func(*scene) {
		return func(s *scene) {
			s.policy.Accounts = append(s.policy.Accounts,
				OwnAccount{Address: aux, Mint: mint})
		}
	}
	noRent := func(s *scene) {
		s.intent.MaxRentLamports, s.intent.MaxForeignRentLamports = new(walletfi.Amount(0)),
			0
	}
	shows := func(st *stage) func(*scene) {
		return func(s *scene) { s.policy.Simulator, s.policy.AllowBlind = st, nil }
	}
	emptied := func(account PublicKey, before AccountState) func(*scene) {
		return shows(play(9, accts{owner: ownerAt(5), account: before}, accts{owner: ownerAt(5), account: {}}))
	}
	unknownMint := func(s *scene) { s.policy.Accounts = append(s.policy.Accounts, OwnAccount{Address: aux}) }
	seed := SeedAddress(owner, "s", exchange)
	runRaids(t, []raid{
		// G9: nothing that could deliver the expected.
		attack("nothing at all", gets(usdc), txbuild.Memo("x")),
		attack("a transfer of 0", all(gets(usdc), paid), spl.TransferChecked(vault, usdc, ourUSDC, maker, 0, 6)),
		attack("a unit too little", all(bare, receive(usdc, 2), paid),
			spl.TransferChecked(vault, usdc, ourUSDC, maker, 1, 6)),
		attack("of another mint", all(gets(usdc), paid), t22.TransferChecked(vault, bonk, ourBonk, maker, 100, 6)),
		attack("SOL in its place", all(gets(usdc), paid), txbuild.Transfer(maker, owner, 100)),
		attack("to the account of another", all(gets(usdc), paid),
			spl.TransferChecked(vault, usdc, thiefUSDC, maker, 100, 6)),
		attack("to our account of another mint", all(gets(usdc), paid),
			spl.TransferChecked(vault, usdc, ourWrapped, maker, 100, 6)),
		attack("to an account that nobody knows", all(gets(usdc), paid),
			spl.TransferChecked(vault, usdc, aux, maker, 100, 6)),
		attack("from ourselves", all(gets(usdc)), spl.TransferChecked(ourUSDC, usdc, listed, owner, 100, 6)),
		attack("to itself", all(gets(usdc)), spl.TransferChecked(ourUSDC, usdc, ourUSDC, owner, 100, 6)),
		attack("SOL from the owner to the owner", all(gets(NativeMint)), txbuild.Transfer(owner, owner, 100)),
		attack("SOL to our token account", all(gets(NativeMint), paid), txbuild.Transfer(maker, ourUSDC, 100)),
		attack("a mint to ours", all(gets(usdc), paid), spl.MintTo(usdc, ourUSDC, maker, 100)),
		attack("a call that reads our account", gets(usdc), txbuild.Call(exchange, nil, ro(ourUSDC))),
		attack("a call that writes another", gets(usdc), txbuild.Call(exchange, nil, w(ourWrapped))),
		attack("a call that writes the mint", gets(usdc), txbuild.Call(exchange, nil, w(usdc))),
		attack("a call that writes a listed account of another mint", all(gets(bonk)),
			txbuild.Call(exchange, nil, w(listed))),
		attack("a call without accounts", gets(usdc), txbuild.Call(exchange, nil)),
		attack("a call with the owner as signer", gets(usdc), txbuild.Call(exchange, nil, sig(owner))),
		attack("a call that writes an account made here of another mint", all(gets(usdc)),
			txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh,
				NativeMint, owner), txbuild.Call(exchange, nil, w(fresh))),
		attack("an account of the other token program", gets(usdc),
			txbuild.Call(exchange, nil, w(AssociatedTokenAddress(owner, usdc, Token2022Program)), ro(bonk),
				w(addressOf("x"))), txbuild.Call(rogue, nil)),
		attack("one of two mints", all(bare, paid, func(s *scene) {
			s.intent.Receive = []walletfi.Asset{{Mint: usdc.String(), Amount: 1}, {Mint: bonk.String(), Amount: 1}}
		}), spl.TransferChecked(vault, usdc, ourUSDC, maker, 1, 6)),
		attack("two entries of a mint, one of them delivered", all(bare, paid, func(s *scene) {
			s.intent.Receive = []walletfi.Asset{{Mint: usdc.String(), Amount: 60},
				{Mint: usdc.String(), Amount: 60}}
		}), spl.TransferChecked(vault, usdc, ourUSDC, maker, 60, 6)),
		attack("arrives, and is paid out", all(gets(usdc), paid),
			spl.TransferChecked(vault, usdc, ourUSDC, maker, 1, 6), spl.TransferChecked(ourUSDC, usdc, friend,
				owner, 1, 6)),
		// Rent.
		attack("0.029 SOL to a stranger", bare, txbuild.Transfer(owner, stranger, 29_000_000)),
		attack("0.029 SOL in a call to a stranger",
			all(bare,
				shows(play(9, accts{owner: ownerAt(1 << 40)}, accts{owner: ownerAt(1<<40 - 5000 - 29_000_000)},
					txbuild.Transfer(owner, stranger,
						29_000_000)))), txbuild.Call(exchange, nil, txbuild.WritableSigner(owner), w(stranger))),
		attack("a wallet of no space with 0.029 SOL", bare,
			txbuild.CreateAccount(owner, fresh, 29_000_000, 0, exchange)),
		attack("a lamport past exemption", bare,
			txbuild.CreateAccount(owner, fresh, (10+128)*6960+1, 10, exchange)),
		attack("of the System program", bare, txbuild.CreateAccount(owner, fresh, 890_880, 0, SystemProgram)),
		attack("of an unpinned program", bare, txbuild.CreateAccount(owner, fresh, 890_880, 0, rogue)),
		attack("allowing a prefund, twice", bare,
			txbuild.CreateAccountAllowPrefund(owner, fresh, 890_880, 0,
				exchange), txbuild.CreateAccountAllowPrefund(owner, fresh, 890_880, 0, exchange), txbuild.Transfer(owner, fresh, 100)),
		attack("by a seed of another base", bare,
			txbuild.CreateAccountWithSeed(owner, SeedAddress(thief, "s", exchange), thief, "s", 890_880, 0,
				exchange)),
		attack("by a seed, another address", bare,
			txbuild.CreateAccountWithSeed(owner, stranger, owner, "s", 890_880, 0, exchange)),
		attack("past the cap by one",
			all(bare,
				func(s *scene) { s.intent.MaxRentLamports = new(walletfi.Amount(accountRent - 1)) }), txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, usdc, owner)),
		attack("no rent at all", all(bare, noRent),
			txbuild.CreateATA(owner, ourBonk, owner, bonk, Token2022Program, true)),
		attack("foreign rent without a cap", all(bare, noRent),
			txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true)),
		attack("foreign rent out of our own", all(bare, func(s *scene) { s.intent.MaxForeignRentLamports = 0 }),
			txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true)),
		attack("a huge account of the pinned program", bare,
			txbuild.CreateAccount(owner, fresh, 6960*(10_000+128), 10_000, exchange)),
		attack("made for a thief", bare, txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram),
			spl.InitializeAccount3(fresh, usdc, thief)),
		attack("made and closed to a stranger", bare,
			txbuild.CreateAccount(owner, fresh, accountRent, 165, TokenProgram), spl.InitializeAccount3(fresh, usdc,
				owner), spl.Close(fresh, stranger, owner)),
		attack("a seeded account's lamports to a stranger", bare,
			txbuild.TransferWithSeed(seed, owner, "s", exchange, stranger, 1)),
		// Sponsors.
		attack("the owner pays beside a sponsor", all(bare, func(s *scene) { s.intent.Sponsor = sponsor.String() }),
			txbuild.Memo("x")),
		attack("the owner pays the sponsor back", sponsored, txbuild.Transfer(owner, sponsor, 5_000)),
		attack("the owner pays the sponsor's rent", all(sponsored, noRent),
			txbuild.CreateATA(owner, thiefUSDC, thief, usdc, TokenProgram, true), txbuild.Transfer(owner, sponsor,
				1)),
		attack("another sponsor", all(sponsored, func(s *scene) { s.build.Payer = thief }),
			txbuild.Memo("x", owner)),
		attack("wrapped SOL closed to the sponsor", sponsored, spl.Close(ourWrapped, sponsor, owner)),
		attack("an unknown mint, nobody simulates", all(sponsored, unknownMint), spl.Close(aux, sponsor, owner)),
		attack("an unknown mint that held a unit",
			all(sponsored, unknownMint, emptied(aux, holding(TokenProgram, bonk, owner, 1))), spl.Close(aux,
				sponsor, owner)),
		attack("an unknown mint that is wrapped SOL",
			all(sponsored, unknownMint,
				emptied(aux,
					AccountState{Lamports: 1 << 30, Owner: TokenProgram,
						Data: holding(TokenProgram, NativeMint, owner,
							1<<30-accountRent).Data})), spl.Close(aux, sponsor, owner)),
		attack("an empty account with lamports past its rent",
			all(sponsored, unknownMint,
				emptied(aux,
					AccountState{Lamports: 1 << 30, Owner: TokenProgram,
						Data: holding(TokenProgram, bonk, owner, 0).Data})), spl.Close(aux, sponsor, owner)),
		attack("an empty account that nobody listed, with lamports",
			all(sponsored,
				emptied(aux,
					AccountState{Lamports: 1 << 30, Owner: TokenProgram,
						Data: holding(TokenProgram, bonk, owner, 0).Data})), spl.Close(aux, sponsor, owner)),
		attack("emptied by a call, then closed to the sponsor",
			all(sponsored, unknownMint,
				shows(play(9, accts{owner: ownerAt(5), aux: holding(TokenProgram, bonk, owner, 7)},
					accts{owner: ownerAt(5), aux: {}}, spl.TransferChecked(aux, bonk, vault, owner, 7,
						6)))), txbuild.Call(exchange, nil, w(aux), sig(owner)), spl.Close(aux, sponsor, owner)),
		attack("closed to a sponsor of the policy's, who does not pay",
			all(bare, unknownMint, func(s *scene) { s.policy.Sponsors = []PublicKey{sponsor} }), spl.Close(aux,
				sponsor, owner)),
		attack("filled and closed to the sponsor", all(paidBySponsor, paid), txbuild.Transfer(owner, ourUSDC, 1000),
			spl.Close(ourUSDC, sponsor, owner)),
		attack("the simulator does not show the account",
			all(sponsored, unknownMint,
				shows(play(9, accts{owner: ownerAt(5)},
					accts{owner: ownerAt(5)}))), spl.Close(aux, sponsor, owner)),
		attack("it is shown as no token account",
			all(sponsored, unknownMint,
				emptied(aux,
					AccountState{Lamports: 1 << 30, Owner: rogue,
						Data: make([]byte, 165)})), spl.Close(aux, sponsor, owner)),
		// The list contradicts.
		attack("listed as USDC, shown as wrapped SOL",
			all(sponsored, auxOf(usdc),
				emptied(aux,
					AccountState{Lamports: 1 << 30, Owner: TokenProgram,
						Data: holding(TokenProgram, NativeMint, owner,
							1<<30-accountRent).Data})), spl.Close(aux, sponsor, owner)),
		attack("listed as USDC, lamports past its rent",
			all(sponsored, auxOf(usdc),
				emptied(aux,
					AccountState{Lamports: 1 << 30, Owner: TokenProgram,
						Data: holding(TokenProgram, usdc, owner, 0).Data})), spl.Close(aux, sponsor, owner)),
		attack("our USDC with lamports past its rent, shown",
			all(paidBySponsor,
				emptied(ourUSDC,
					AccountState{Lamports: 1 << 30, Owner: TokenProgram,
						Data: holding(TokenProgram, usdc, owner, 0).Data})), spl.Close(ourUSDC, sponsor, owner)),
		attack("our USDC with lamports past its rent, and a call",
			all(paidBySponsor,
				emptied(ourUSDC,
					AccountState{Lamports: 1 << 30, Owner: TokenProgram,
						Data: holding(TokenProgram, usdc, owner,
							0).Data})), txbuild.Call(exchange, nil, w(vault)), spl.Close(ourUSDC, sponsor, owner)),

		odd("exactly arrives", all(gets(usdc), paid), spl.TransferChecked(vault, usdc, ourUSDC, maker, 1, 6)),
		odd("arrives in two parts", all(bare, receive(usdc, 2), paid),
			spl.TransferChecked(vault, usdc, ourUSDC, maker, 1, 6), spl.TransferChecked(vault, usdc, ourUSDC, maker,
				1, 6)),
		odd("SOL arrives from a maker", all(gets(NativeMint), paid), txbuild.Transfer(maker, owner, 1)),
		odd("a call writes ours", gets(usdc), txbuild.Call(exchange, nil, w(ourUSDC))),
		odd("a call writes the owner, SOL is expected", gets(NativeMint),
			txbuild.Call(exchange, nil, txbuild.WritableSigner(owner))),
		odd("a listed account of the mint", gets(usdc), txbuild.Call(exchange, nil, w(listed))),
		odd("exactly exempt", bare, txbuild.CreateAccount(owner, fresh, (10+128)*6960, 10, exchange)),
		odd("our own accounts within the cap",
			all(bare,
				func(s *scene) { s.intent.MaxRentLamports = new(walletfi.Amount(2 * accountRent)) }), txbuild.CreateATA(owner, ourUSDC, owner, usdc, TokenProgram, true), txbuild.CreateATA(owner, ourWrapped, owner, NativeMint, TokenProgram, true)),
		odd("by a seed of ours", bare,
			txbuild.CreateAccountWithSeed(owner, SeedAddress(owner, "s", TokenProgram), owner, "s", accountRent,
				165, TokenProgram), spl.InitializeAccount3(SeedAddress(owner, "s", TokenProgram), usdc, owner)),
		odd("a sponsor pays rent", sponsored, txbuild.CreateATA(sponsor, ourUSDC, owner, usdc, TokenProgram, true),
			txbuild.Memo("x", owner)),
		odd("closed to the sponsor, shown empty",
			all(sponsored, unknownMint, emptied(aux, holding(TokenProgram, bonk, owner, 0))), spl.Close(aux,
				sponsor, owner)),
		odd("closed to the owner, nobody simulates", all(sponsored, unknownMint), spl.Close(aux, owner, owner)),
		odd("our USDC closed to the sponsor", paidBySponsor, spl.Close(ourUSDC, sponsor, owner)),
	})
}

// TestAttackedStored: an Unsigned that was stored and changed must not be read as something else.
func TestAttackedStored(t *testing.T) {
	u := set(txbuild.V0, ordinary(txbuild.Transfer(owner, friend, 1000)))
	u.Blockhash, u.LastValidBlockHeight = someBlockhash.String(), 100
	text, err := json.Marshal(u)
	require.NoError(t, err)
	good := string(text)
	require.NoError(t, json.Unmarshal(text, new(walletfi.Unsigned)))
	t.Log(good)
	spend := `"spend":[{"mint":"` + walletfi.NativeMint + `","amount":"999999999"}]`
	at := func(before, what string) string {
		require.Contains(t, good, before)
		return strings.Replace(good, before, what+before, 1)
	}
	for name, bad := range map[string]string{
		"a second intent": strings.TrimSuffix(good,
			"}") + `,"intent":{"service":"swap","owner":"` + owner.String() + `",` + spend + `}}`,
		"an Intent": strings.TrimSuffix(good,
			"}") + `,"Intent":{"service":"swap","owner":"` + owner.String() + `",` + spend + `}}`,
		"INTENT":                          strings.TrimSuffix(good, "}") + `,"INTENT":{}}`,
		"an unknown member":               strings.TrimSuffix(good, "}") + `,"x":1}`,
		"second transactions":             strings.TrimSuffix(good, "}") + `,"transactions":[]}`,
		"a second height":                 strings.TrimSuffix(good, "}") + `,"lastValidBlockHeight":"99"}`,
		"a second spend":                  at(`"service":`, spend+`,`),
		"a Spend":                         at(`"service":`, strings.Replace(spend, "spend", "Spend", 1)+`,`),
		"an unknown member of the intent": at(`"service":`, `"allow":true,`),
		"a second owner":                  at(`"service":`, `"owner":"`+thief.String()+`",`),
		"a second amount":                 at(`"mint":`, `"amount":"1",`),
		"an unknown member of an asset":   at(`"mint":`, `"symbol":"USDC",`),
		"an escaped name":                 at(`"service":`, `"\u0073pend":[],`),
		"a Kelvin sign for a k":           strings.Replace(good, `"blockhash"`, `"blocKhash"`, 1),
		"trailing text":                   good + `{}`,
		"null":                            `null`,
		"a text":                          `"x"`,
		"a list":                          `[]`,
		"transactions as one text": strings.Replace(strings.Replace(good, `"transactions":[`,
			`"transactions":`, 1), `],"intent"`, `,"intent"`, 1),
		"a null intent":              `{"transactions":[],"intent":null}`,
		"a negative height":          strings.Replace(good, `"lastValidBlockHeight":100`, `"lastValidBlockHeight":-1`, 1),
		"an amount with a fraction":  strings.Replace(good, `"amount":"500"`, `"amount":"500.5"`, 1),
		"an amount with an exponent": strings.Replace(good, `"amount":"500"`, `"amount":5e9`, 1),
		"an amount of more than 64 bits": strings.Replace(good, `"amount":"500"`,
			`"amount":"18446744073709552116"`, 1),
		"an amount in hexadecimal": strings.Replace(good, `"amount":"500"`, `"amount":"0x500"`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEqual(t, good, bad, "nothing changed")
			var back walletfi.Unsigned
			err := json.Unmarshal([]byte(bad), &back)
			if name == "null" && err == nil {
				require.Empty(t, back.Transactions)
				return
			}
			require.Error(t, err, "%+v", back.Intent)
		})
	}
}

// TestAttackedApprovals: what was approved is signed, under the same policy and in the same words.
func TestAttackedApprovals(t *testing.T) {
	s := ordinary(txbuild.Transfer(owner, friend, 1000), txbuild.Call(exchange, tradeD, txbuild.Writable(ourUSDC)))
	u := set(txbuild.V0, s)
	_, report, err := NewGuard(s.policy).CheckSet(t.Context(), u)
	require.NoError(t, err)
	digest := report.Digest()
	for name, change := range map[string]func(*Policy){
		"a typed pin": func(p *Policy) {
			p.TypedPins = map[string][]Pin{"swap": {pin(nil,
				AnyAccount)}}
		},
		"a typed pin of another": func(p *Policy) { p.TypedPins = map[string][]Pin{"amm": {pin(nil, AnyAccount)}} },
		"a key":                  func(p *Policy) { p.Keys = append(p.Keys, thief) },
		"an account":             func(p *Policy) { p.Accounts = append(p.Accounts, OwnAccount{Address: vault}) },
		"a mint of an account":   func(p *Policy) { p.Accounts[0].Mint = bonk },
		"no protection":          func(p *Policy) { p.Protected = nil },
		"a sponsor":              func(p *Policy) { p.Sponsors = append(p.Sponsors, thief) },
		"a co-signer":            func(p *Policy) { p.CoSigners = append(p.CoSigners, thief) },
		"a late co-signer":       func(p *Policy) { p.LateCoSigners = 1 },
		"a delegate":             func(p *Policy) { p.Delegates = append(p.Delegates, thief) },
		"a Token-2022 mint":      func(p *Policy) { p.Mints = append(p.Mints, bonk) },
		"a network fee":          func(p *Policy) { p.MaxNetworkFeeLamports = new(walletfi.Amount(1 << 40)) },
		"rent":                   func(p *Policy) { p.MaxRentLamports = new(walletfi.Amount(1 << 40)) },
		"unsimulated":            func(p *Policy) { p.Unsimulated = []string{"swap"} },
		"one less blind":         func(p *Policy) { p.AllowBlind = nil; p.Simulator = still(9) },
	} {
		p := s.policy.clone()
		change(&p)
		_, _, err := NewGuard(p).SignApproved(t.Context(), u, digest, ownerKey)
		require.ErrorIs(t, err, ErrRefused, name)
	}
	g := NewGuard(s.policy)
	for _, d := range []string{"", digest[:63], digest + "0", strings.ToUpper(digest), " " + digest,
		report.MessagesDigest(), strings.Repeat("0", 64)} {
		_, _, err := g.SignApproved(t.Context(), u, d, ownerKey)
		require.ErrorIs(t, err, ErrRefused, d)
	}
	_, _, err = g.SignApproved(t.Context(), u, digest, keyOf("thief"))
	require.Error(t, err, "another signer")
	_, _, err = g.SignApproved(t.Context(), u, digest, ownerKey,
		WithNonce(Nonce{Account: vault, Value: someBlockhash}))
	t.Log(err)
	for range 3 { // a stable text
		_, _, err = g.SignApproved(t.Context(), u, digest, ownerKey)
		require.NoError(t, err)
	}
}

// TestAttackedKeyFiles: a key file that others may use is refused; a closed key signs nothing.
func TestAttackedKeyFiles(t *testing.T) {
	dir := t.TempDir()
	text, err := json.Marshal(func() (n []int) {
		for _, b := range privateOf("owner") {
			n = append(n, int(b))
		}
		return n
	}())
	require.NoError(t, err)
	path := filepath.Join(dir, "k")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	for _, mode := range []os.FileMode{0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o660, 0o666, 0o644, 0o444, 0o777,
		0o700 | 0o040} {
		require.NoError(t, os.Chmod(path, mode))
		_, err := LoadLocalKey(path)
		require.Error(t, err, "%o", mode)
	}
	link := filepath.Join(dir, "l")
	require.NoError(t, os.Symlink(path, link))
	_, err = LoadLocalKey(link)
	require.Error(t, err, "a link to an open file")
	_, err = LoadLocalKey(dir)
	require.Error(t, err, "a folder")
	_, err = LoadLocalKey(path, KeyFileOption(7))
	require.Error(t, err, "an option that there is none of")
	for _, mode := range []os.FileMode{0o600, 0o400, 0o700, 0o500} {
		require.NoError(t, os.Chmod(path, mode))
		key, err := LoadLocalKey(link)
		require.NoError(t, err, "%o", mode)
		other := *key
		require.NoError(t, key.Close())
		_, err = other.Sign(context.Background(), []byte("m"))
		require.ErrorIs(t, err, ErrKeyClosed, "a copy of a closed key")
	}
	for name, text := range map[string]string{"65 numbers": "[" + strings.Repeat("1,", 64) + "1]",
		"256": strings.Replace(string(text), "[", "[256,", 1), "empty": "", "a fraction": "[1.5]",
		"the seed alone": "[" + strings.TrimSuffix(strings.Repeat("1,", 32),
			",") + "]", "a key that does not fit": "[" + strings.TrimSuffix(strings.Repeat("1,", 64), ",") + "]"} {
		_, err := ParseLocalKey([]byte(text))
		require.Error(t, err, name)
	}
}
