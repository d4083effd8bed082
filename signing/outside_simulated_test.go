package signing_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

func solNow(n uint64) state { return state{Lamports: walletfi.Amount(n)} }

// extended22 is our BONK account with an extension.
func extended22(owner pk, n uint64, st byte, ext ...byte) state {
	s := held(signing.Token2022Program, xBONK, owner, n)
	s.Data[108], s.Lamports = st, 2_074_080
	s.Data = append(append(s.Data, 2), ext...)
	return s
}

func keysAre(k ...pk) func(*signing.Policy) {
	return func(p *signing.Policy) { p.Keys = append(p.Keys, k...) }
}

func coSigners(k ...pk) func(*signing.Policy) {
	return func(p *signing.Policy) { p.CoSigners = append(p.CoSigners, k...) }
}

// TestOutsideOutcomes: what a simulation shows becomes of our accounts, told with calls, with none, and by states alone,
// in a single transaction and in the second of a bundle.
func TestOutsideOutcomes(t *testing.T) {
	key := outKey("maker").PublicKey()
	aux, theirs, stake, nonce, mint := outAddr("aux"), outAddr("theirs"), outAddr("stake"), outAddr("nonce"), outAddr("our mint")
	vault := outAddr("vault pda")
	bonk := func(n uint64, c ...func([]byte)) state { return held(signing.Token2022Program, xBONK, xOwner, n, c...) }
	names := func(owner pk, k pk) state {
		return state{Lamports: 5_000_000, Owner: owner, Data: append(make([]byte, 12), k[:]...)}
	}
	mintBy := func(k pk) state {
		d := make([]byte, 82)
		d[0], d[45] = 1, 1
		copy(d[4:], k[:])
		return state{Lamports: 1_461_600, Owner: signing.TokenProgram, Data: d}
	}
	ext := func(kind uint16, data ...byte) []byte {
		return append(binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, kind), uint16(len(data))), data...)
	}
	type outcome struct {
		name          string
		policy        []func(*signing.Policy)
		writes        []pk
		before, after accs
		inner         []ins // as a node that tells would
		intent        []func(*walletfi.Intent)
	}
	exchange := []func(*walletfi.Intent){gets(xBONK, 10)}
	brings := func(a accs) accs {
		a[xMyBONK] = bonk(10)
		return a
	}
	list := []outcome{
		{name: "501 USDC leave", after: accs{xMyUSDC: myUSDC(299)}, inner: []ins{xTok.TransferChecked(xMyUSDC, xUSDC, xPool, xOwner, 501, 6)}},
		{name: "501 leave by an unchecked transfer", after: accs{xMyUSDC: myUSDC(299)}, inner: []ins{xTok.Transfer(xMyUSDC, xPool, xOwner, 501)}},
		{name: "501 leave in a batch", after: accs{xMyUSDC: myUSDC(299)}, inner: []ins{xTok.Batch(xTok.Transfer(xMyUSDC, xPool, xOwner, 250), xTok.Transfer(xMyUSDC, xThief, xOwner, 251))}},
		{name: "501 leave by a permanent delegate", after: accs{xMyUSDC: myUSDC(299)}, inner: []ins{xTok.TransferChecked(xMyUSDC, xUSDC, xPool, xThief, 501, 6)}},
		{name: "501 are burned", after: accs{xMyUSDC: myUSDC(299)}, inner: []ins{xTok.Burn(xMyUSDC, xUSDC, xOwner, 501)}},
		{name: "a delegate of the thief's", after: accs{xMyUSDC: held(signing.TokenProgram, xUSDC, xOwner, 800, delegateTo(xThief, 1))}, inner: []ins{xTok.Approve(xMyUSDC, xThief, xOwner, 1)}},
		{name: "a delegate for nothing", after: accs{xMyUSDC: held(signing.TokenProgram, xUSDC, xOwner, 800, delegateTo(xThief, 0))}, inner: []ins{xTok.Approve(xMyUSDC, xThief, xOwner, 0)}},
		{name: "more for a delegate that was", before: accs{xMyUSDC: held(signing.TokenProgram, xUSDC, xOwner, 800, delegateTo(xThief, 5))},
			after: accs{xMyUSDC: held(signing.TokenProgram, xUSDC, xOwner, 800, delegateTo(xThief, 500))}, inner: []ins{xTok.Approve(xMyUSDC, xThief, xOwner, 500)}},
		{name: "a close authority", after: accs{xMyUSDC: held(signing.TokenProgram, xUSDC, xOwner, 800, closeBy(xThief))}, inner: []ins{xTok.SetAuthority(xMyUSDC, xOwner, 3, xThief)}},
		{name: "our account handed over", after: accs{xMyUSDC: held(signing.TokenProgram, xUSDC, xThief, 800)}, inner: []ins{xTok.SetAuthority(xMyUSDC, xOwner, 2, xThief)}},
		{name: "handed to a key of ours", policy: []func(*signing.Policy){keysAre(key), coSigners(key)}, after: accs{xMyUSDC: held(signing.TokenProgram, xUSDC, key, 800)}, inner: []ins{xTok.SetAuthority(xMyUSDC, xOwner, 2, key)}},
		{name: "frozen", after: accs{xMyBONK: extended22(xOwner, 9, 2)}, before: accs{xMyBONK: extended22(xOwner, 9, 1)}, writes: []pk{xMyBONK}},
		{name: "memo required", before: accs{xMyBONK: extended22(xOwner, 9, 1, ext(8, 0)...)}, after: accs{xMyBONK: extended22(xOwner, 9, 1, ext(8, 1)...)}, writes: []pk{xMyBONK}, inner: []ins{raw(signing.Token2022Program, []byte{30, 0}, txbuild.Writable(xMyBONK), txbuild.Signer(xOwner))}},
		{name: "cpi guard", before: accs{xMyBONK: extended22(xOwner, 9, 1, ext(11, 1)...)}, after: accs{xMyBONK: extended22(xOwner, 9, 1, ext(11, 0)...)}, writes: []pk{xMyBONK}},
		{name: "a new extension", before: accs{xMyBONK: bonk(9)}, after: accs{xMyBONK: extended22(xOwner, 9, 1, ext(8, 1)...)}, writes: []pk{xMyBONK}},
		{name: "wrapped SOL closed to the thief", before: accs{xMyWSOL: held(signing.TokenProgram, signing.NativeMint, xOwner, 1<<30)}, after: accs{xMyWSOL: {}}, writes: []pk{xMyWSOL}, inner: []ins{xTok.Close(xMyWSOL, xThief, xOwner)}},
		{name: "wrapped SOL leaves", before: accs{xMyWSOL: held(signing.TokenProgram, signing.NativeMint, xOwner, 1<<30)}, after: accs{xMyWSOL: held(signing.TokenProgram, signing.NativeMint, xOwner, 0)}, writes: []pk{xMyWSOL}, inner: []ins{xTok.Transfer(xMyWSOL, xThief, xOwner, 1<<30)}},
		{name: "SOL leaves", after: accs{xOwner: solNow(4_000_000_000)}, inner: []ins{txbuild.Transfer(xOwner, xThief, 1_000_000_000-5000)}},
		{name: "SOL leaves as rent of nothing", after: accs{xOwner: solNow(5_000_000_000 - 5000 - 20_000_000), xThief: solNow(20_000_000)}, writes: []pk{xThief}, inner: []ins{txbuild.Transfer(xOwner, xThief, 20_000_000)}},
		{name: "rent to an account that was exempt", before: accs{xThief: {Lamports: 30_000_000, Owner: xRogue, Data: make([]byte, 100)}}, after: accs{xOwner: solNow(5_000_000_000 - 5000 - 20_000_000), xThief: {Lamports: 50_000_000, Owner: xRogue, Data: make([]byte, 100)}}, writes: []pk{xThief}, inner: []ins{txbuild.Transfer(xOwner, xThief, 20_000_000)}},
		{name: "rent for a made account beyond its space", after: accs{xOwner: solNow(5_000_000_000 - 5000 - 20_000_000), xThief: {Lamports: 20_000_000, Owner: xRogue, Data: make([]byte, 10)}}, writes: []pk{xThief}, inner: []ins{txbuild.Transfer(xOwner, xThief, 20_000_000), txbuild.Allocate(xThief, 10), txbuild.Assign(xThief, xRogue)}},
		{name: "the wallet handed over", after: accs{xOwner: {Lamports: 5_000_000_000 - 5000, Owner: xRogue}}, inner: []ins{txbuild.Assign(xOwner, xRogue)}},
		{name: "the wallet gets data", after: accs{xOwner: {Lamports: 5_000_000_000 - 5000, Data: make([]byte, 8)}}, inner: []ins{txbuild.Allocate(xOwner, 8)}},
		{name: "an aux of ours is emptied", before: accs{aux: held(signing.TokenProgram, xJUP, xOwner, 900)}, after: accs{aux: held(signing.TokenProgram, xJUP, xOwner, 0)}, writes: []pk{aux}, inner: []ins{xTok.Transfer(aux, xThief, xOwner, 900)}},
		{name: "an aux of ours becomes another's program's", before: accs{aux: held(signing.TokenProgram, xJUP, xOwner, 900)}, after: accs{aux: {Lamports: xRent, Owner: xRogue, Data: make([]byte, 165)}}, writes: []pk{aux}},
		{name: "an aux of ours changes its mint", before: accs{aux: held(signing.TokenProgram, xJUP, xOwner, 900)}, after: accs{aux: held(signing.TokenProgram, xThief, xOwner, 900)}, writes: []pk{aux}},
		{name: "a key's account is emptied", policy: []func(*signing.Policy){keysAre(key), coSigners(key)}, before: accs{aux: held(signing.TokenProgram, xJUP, key, 900)}, after: accs{aux: held(signing.TokenProgram, xJUP, key, 0)}, writes: []pk{aux}, inner: []ins{xTok.Transfer(aux, xThief, key, 900)}},
		{name: "what we are a delegate of is taken", before: accs{theirs: held(signing.TokenProgram, xJUP, xFriend, 900, delegateTo(xOwner, 900))}, after: accs{theirs: held(signing.TokenProgram, xJUP, xFriend, 0)}, writes: []pk{theirs}, inner: []ins{xTok.TransferChecked(theirs, xJUP, xThief, xOwner, 900, 6)}},
		{name: "what we may close is closed to the thief", before: accs{theirs: held(signing.TokenProgram, xJUP, xFriend, 0, closeBy(xOwner))}, after: accs{theirs: {}}, writes: []pk{theirs}, inner: []ins{xTok.Close(theirs, xThief, xOwner)}},
		{name: "a stake is handed over", before: accs{stake: names(signing.StakeProgram, xOwner)}, after: accs{stake: names(signing.StakeProgram, xThief)}, writes: []pk{stake}, inner: []ins{raw(signing.StakeProgram, []byte{1, 0, 0, 0}, txbuild.Writable(stake), txbuild.Signer(xOwner))}},
		{name: "a nonce is handed over", before: accs{nonce: names(signing.SystemProgram, xOwner)}, after: accs{nonce: names(signing.SystemProgram, xThief)}, writes: []pk{nonce}, inner: []ins{txbuild.AuthorizeNonce(nonce, xOwner, xThief)}},
		{name: "a nonce is emptied", before: accs{nonce: names(signing.SystemProgram, xOwner)}, after: accs{nonce: {}}, writes: []pk{nonce}, inner: []ins{txbuild.WithdrawNonce(nonce, xThief, xOwner, 5_000_000)}},
		{name: "a mint is handed over", before: accs{mint: mintBy(xOwner)}, after: accs{mint: mintBy(xThief)}, writes: []pk{mint}, inner: []ins{xTok.SetAuthority(mint, xOwner, 0, xThief)}},
		{name: "a new account of ours with a delegate", after: accs{xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 5, delegateTo(xThief, 5))}, writes: []pk{xMyJUP}},
		{name: "a new account of ours with a close authority", after: accs{xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 5, closeBy(xThief))}, writes: []pk{xMyJUP}},
		{name: "given to us with a delegate", before: accs{theirs: held(signing.TokenProgram, xJUP, xThief, 5, delegateTo(xThief, 5))}, after: accs{theirs: held(signing.TokenProgram, xJUP, xOwner, 5, delegateTo(xThief, 5))}, writes: []pk{theirs}},
		{name: "a listed vault is emptied", policy: []func(*signing.Policy){listedPlain(vault)}, before: accs{vault: solNow(1 << 40)}, after: accs{vault: solNow(0)}, writes: []pk{vault}, inner: []ins{txbuild.Transfer(vault, xThief, 1<<40)}},
		{name: "a listed vault of a program is assigned", policy: []func(*signing.Policy){listedPlain(vault)}, before: accs{vault: {Lamports: 1 << 40, Owner: xProg, Data: make([]byte, 8)}}, after: accs{vault: {Lamports: 1 << 40, Owner: xRogue, Data: make([]byte, 8)}}, writes: []pk{vault}},
		{name: "a listed token account becomes a mint's of nothing", policy: []func(*signing.Policy){listedToken(aux, xJUP)}, before: accs{aux: held(signing.TokenProgram, xJUP, vault, 900)}, after: accs{aux: held(signing.TokenProgram, xThief, vault, 900)}, writes: []pk{aux}},
		{name: "a listed account with a delegate", policy: []func(*signing.Policy){listedToken(aux, xJUP)}, before: accs{aux: held(signing.TokenProgram, xJUP, vault, 900)}, after: accs{aux: held(signing.TokenProgram, xJUP, vault, 900, delegateTo(xThief, 900))}, writes: []pk{aux}},
		{name: "less arrives than expected", intent: exchange, after: accs{xMyBONK: bonk(9)}, writes: []pk{xMyBONK}},
		{name: "arrives and is bound to a delegate", intent: exchange, after: accs{xMyBONK: bonk(10, delegateTo(xThief, 10))}, writes: []pk{xMyBONK}},
		{name: "arrives at another's", intent: exchange, after: accs{theirs: held(signing.Token2022Program, xBONK, xThief, 10)}, writes: []pk{theirs, xMyBONK}},
		{name: "arrives under another program's account", intent: exchange, after: accs{xMyBONK: {Lamports: xRent, Owner: xRogue, Data: bonk(10).Data}}, writes: []pk{xMyBONK}},
		{name: "arrives at a key's", policy: []func(*signing.Policy){keysAre(key)}, intent: exchange, after: accs{theirs: held(signing.Token2022Program, xBONK, key, 10)}, writes: []pk{theirs, xMyBONK}},
		// What passes through the owner in an exchange of USDC for BONK.
		{name: "JUP of ours passes through", intent: exchange, before: accs{xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 900)}, after: brings(accs{xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 0)}), writes: []pk{xMyJUP, xMyBONK},
			inner: []ins{xTok.TransferChecked(xMyJUP, xJUP, xThief, xOwner, 900, 6)}},
		{name: "P1 SOL parked at our unmade wrapped account offsets a loss", intent: exchange, before: accs{xMyWSOL: solNow(4_900_000_000)},
			after: brings(accs{xOwner: solNow(100_000_000 - 5000), xMyWSOL: func() state {
				s := held(signing.TokenProgram, signing.NativeMint, xOwner, 0)
				s.Lamports = 4_900_000_000
				return s
			}()}),
			writes: []pk{xMyWSOL, xMyBONK}, inner: []ins{txbuild.Transfer(xOwner, xThief, 4_900_000_000)}},
		{name: "P3 a key's JUP is closed over to us and taken", policy: []func(*signing.Policy){keysAre(key), coSigners(key)}, intent: exchange, before: accs{aux: held(signing.TokenProgram, xJUP, key, 900), xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 0)},
			after: brings(accs{aux: held(signing.TokenProgram, xJUP, key, 0)}), writes: []pk{aux, xMyJUP, xMyBONK},
			inner: []ins{xTok.TransferChecked(aux, xJUP, xMyJUP, key, 900, 6), xTok.TransferChecked(xMyJUP, xJUP, xThief, xOwner, 900, 6)}},
		{name: "P3b a key's wrapped SOL is closed to us and taken", policy: []func(*signing.Policy){keysAre(key), coSigners(key)}, intent: exchange, before: accs{aux: held(signing.TokenProgram, signing.NativeMint, key, 3_000_000_000)},
			after: brings(accs{aux: {}}), writes: []pk{aux, xMyBONK},
			inner: []ins{xTok.Close(aux, xOwner, key), txbuild.Transfer(xOwner, xThief, 3_000_000_000+xRent)}},
		{name: "P3c a key's SOL is sent to us and taken", policy: []func(*signing.Policy){keysAre(key), coSigners(key)}, intent: exchange, before: accs{key: solNow(3_000_000_000)},
			after: brings(accs{key: solNow(0)}), writes: []pk{key, xMyBONK},
			inner: []ins{txbuild.Transfer(key, xOwner, 3_000_000_000), txbuild.Transfer(xOwner, xThief, 3_000_000_000)}},
		{name: "P3e a key's SOL is sent to us but for its rent, and taken", policy: []func(*signing.Policy){keysAre(key), coSigners(key)}, intent: exchange, before: accs{key: solNow(3_000_890_880)},
			after: brings(accs{key: solNow(890_880), xOwner: solNow(5_000_000_000 - 10_000)}), writes: []pk{key, xMyBONK},
			inner: []ins{txbuild.Transfer(key, xOwner, 3_000_000_000), txbuild.Transfer(xOwner, xThief, 3_000_000_000)}},
		{name: "P7 JUP of a listed vault of a program passes through", policy: []func(*signing.Policy){listedToken(aux, xJUP)}, intent: exchange, before: accs{aux: held(signing.TokenProgram, xJUP, vault, 900), xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 0)},
			after: brings(accs{aux: held(signing.TokenProgram, xJUP, vault, 0)}), writes: []pk{aux, xMyJUP, xMyBONK},
			inner: []ins{xTok.TransferChecked(aux, xJUP, xMyJUP, vault, 900, 6), xTok.TransferChecked(xMyJUP, xJUP, xThief, xOwner, 900, 6)}},
		{name: "P8 wrapped SOL of a key passes as tokens", policy: []func(*signing.Policy){keysAre(key), coSigners(key)}, intent: exchange, before: accs{aux: held(signing.TokenProgram, signing.NativeMint, key, 3_000_000_000), xMyWSOL: held(signing.TokenProgram, signing.NativeMint, xOwner, 0)},
			after: brings(accs{aux: held(signing.TokenProgram, signing.NativeMint, key, 0), xOwner: solNow(5_000_000_000 - 10_000)}), writes: []pk{aux, xMyWSOL, xMyBONK},
			inner: []ins{xTok.TransferChecked(aux, signing.NativeMint, xMyWSOL, key, 3_000_000_000, 9), xTok.TransferChecked(xMyWSOL, signing.NativeMint, xThief, xOwner, 3_000_000_000, 9)}},
		{name: "P9 a key's JUP goes straight to the thief in an exchange", policy: []func(*signing.Policy){keysAre(key), coSigners(key)}, intent: exchange, before: accs{aux: held(signing.TokenProgram, xJUP, key, 900)},
			after: brings(accs{aux: held(signing.TokenProgram, xJUP, key, 0), xOwner: solNow(5_000_000_000 - 10_000)}), writes: []pk{aux, xMyBONK}, inner: []ins{xTok.TransferChecked(aux, xJUP, xThief, key, 900, 6)}},
		{name: "P9b a key's SOL goes straight to the thief in an exchange", policy: []func(*signing.Policy){keysAre(key), coSigners(key)}, intent: exchange, before: accs{key: solNow(3_000_890_880)},
			after: brings(accs{key: solNow(890_880), xOwner: solNow(5_000_000_000 - 10_000)}), writes: []pk{key, xMyBONK}, inner: []ins{txbuild.Transfer(key, xThief, 3_000_000_000)}},
		{name: "P9c what we are a delegate of goes straight to the thief in an exchange", intent: exchange, before: accs{theirs: held(signing.TokenProgram, xJUP, xFriend, 900, delegateTo(xOwner, 900))},
			after: brings(accs{theirs: held(signing.TokenProgram, xJUP, xFriend, 0)}), writes: []pk{theirs, xMyBONK}, inner: []ins{xTok.TransferChecked(theirs, xJUP, xThief, xOwner, 900, 6)}},
		{name: "P9d a multisig of ours, which no policy names, pays the thief in an exchange", intent: exchange, before: accs{aux: held(signing.TokenProgram, xJUP, outAddr("msig"), 900), outAddr("msig"): multisig(xFriend, xOwner)},
			after: brings(accs{aux: held(signing.TokenProgram, xJUP, outAddr("msig"), 0)}), writes: []pk{aux, xMyBONK, outAddr("msig")}, inner: []ins{xTok.TransferChecked(aux, xJUP, xThief, outAddr("msig"), 900, 6, xOwner)}},
		{name: "P9e the same without an exchange", before: accs{aux: held(signing.TokenProgram, xJUP, outAddr("msig"), 900), outAddr("msig"): multisig(xFriend, xOwner)},
			after: accs{aux: held(signing.TokenProgram, xJUP, outAddr("msig"), 0)}, writes: []pk{aux, outAddr("msig")}, inner: []ins{xTok.TransferChecked(aux, xJUP, xThief, outAddr("msig"), 900, 6, xOwner)}},
		{name: "P10 what should arrive comes from a key's account", policy: []func(*signing.Policy){keysAre(key), coSigners(key)}, intent: exchange, before: accs{aux: held(signing.Token2022Program, xBONK, key, 900)},
			after: brings(accs{aux: held(signing.Token2022Program, xBONK, key, 890), xMyUSDC: myUSDC(300), xOwner: solNow(5_000_000_000 - 10_000)}), writes: []pk{aux, xMyBONK}, inner: []ins{xTok.TransferChecked(xMyUSDC, xUSDC, xThUSDC, xOwner, 500, 6), xT22.TransferChecked(aux, xBONK, xMyBONK, key, 10, 5)}},
		{name: "P10b what should arrive comes from our own unlisted account", intent: exchange, before: accs{aux: held(signing.Token2022Program, xBONK, xOwner, 900)},
			after: brings(accs{aux: held(signing.Token2022Program, xBONK, xOwner, 890), xMyUSDC: myUSDC(300)}), writes: []pk{aux, xMyBONK}, inner: []ins{xTok.TransferChecked(xMyUSDC, xUSDC, xThUSDC, xOwner, 500, 6), xT22.TransferChecked(aux, xBONK, xMyBONK, xOwner, 10, 5)}},
		{name: "P3d what we are a delegate of is moved to us and taken", intent: exchange, before: accs{theirs: held(signing.TokenProgram, xJUP, xFriend, 900, delegateTo(xOwner, 900)), xMyJUP: held(signing.TokenProgram, xJUP, xOwner, 0)},
			after: brings(accs{theirs: held(signing.TokenProgram, xJUP, xFriend, 0)}), writes: []pk{theirs, xMyJUP, xMyBONK},
			inner: []ins{xTok.TransferChecked(theirs, xJUP, xMyJUP, xOwner, 900, 6), xTok.TransferChecked(xMyJUP, xJUP, xThief, xOwner, 900, 6)}},
		{name: "P5 a listed account of unknown lamports: program-owned vault pays us, we pay the thief", intent: exchange, before: accs{vault: {Lamports: 3_000_000_000, Owner: xProg, Data: make([]byte, 8)}},
			policy: []func(*signing.Policy){listedPlain(vault)}, after: brings(accs{vault: {Lamports: 1_000_000_000, Owner: xProg, Data: make([]byte, 8)}}), writes: []pk{vault, xMyBONK}, inner: []ins{txbuild.Transfer(xOwner, xThief, 2_000_000_000)}},
		{name: "P6 our own token account, unknown mint, closed within: its SOL is passed", intent: exchange, before: accs{aux: held(signing.TokenProgram, xJUP, xOwner, 0)}, after: brings(accs{aux: {}}), writes: []pk{aux, xMyBONK},
			inner: []ins{xTok.Close(aux, xOwner, xOwner), txbuild.Transfer(xOwner, xThief, xRent)}},
	}
	var all []attempt
	for _, o := range list {
		writes := append([]pk{xMyUSDC}, o.writes...)
		if len(o.intent) > 0 { // the owner has an account for what should arrive
			if o.before == nil {
				o.before = accs{}
			}
			if _, has := o.before[xMyBONK]; !has {
				o.before[xMyBONK] = bonk(0)
			}
		}
		p := append([]func(*signing.Policy){}, o.policy...)
		mk := func(way string, s signing.Simulator, set ...xTx) {
			if len(set) == 1 && slices.Contains(writes, key) {
				set[0].by = nil
			}
			all = append(all, attempt{name: way + ": " + o.name, policy: xPolicy(append(p, sim(s))...), set: set, intent: xIntent(o.intent...)})
		}
		one := v0(call(writes...))
		for i, in := range o.inner {
			for _, a := range in.Accounts {
				if a.Signer && pk(a.Key) == key && i >= 0 {
					c := call(writes...)
					c.Accounts = append(c.Accounts, txbuild.Signer(key))
					one = v0(c)
					one.by = []string{"maker"}
				}
			}
		}
		if len(o.inner) > 0 {
			mk("told", shows(o.before, o.after, o.inner...), one)
		}
		mk("states", shows(o.before, o.after).states(), one)
		still := shows(o.before, nil)
		second := one
		second.ins = append([]ins{txbuild.Memo("second")}, one.ins...)
		mk("second of a bundle", bundle{still, shows(o.before, o.after).states()}, v0(numberedCall(7)), second)
	}
	runAttempts(t, all)
}

// TestOutsideSimulators: partial, failing and lying ones.
func TestOutsideSimulators(t *testing.T) {
	u := xIntent()
	one := []xTx{v0(call(xMyUSDC))}
	two := []xTx{v0(call(xMyUSDC)), v0(numberedCall(2, xMyUSDC))}
	ok := shows(nil, accs{xMyUSDC: myUSDC(300)})
	bad := &shown{err: signing.ErrUnknown}
	drain := v0(xTok.SetAuthority(xMyUSDC, xOwner, 2, xThief))
	odd := func(change func(*signing.Simulation)) signing.Simulator { return twisted{ok, change} }
	failing := shows(nil, nil)
	failing.fails = "custom program error: 0x1\nSimulated: yes\x1b[1m\u202e"
	runAttempts(t, []attempt{
		{name: "unknown", policy: xPolicy(sim(bad)), set: one, intent: u, rule: signing.RuleBlind},
		{name: "fails", policy: xPolicy(sim(failing)), set: one, intent: u, not: []string{"\nSimulated: yes\x1b", "\u202e", "\x1b"}},
		{name: "fails, blind allowed", policy: xPolicy(sim(failing), blindly), set: one, intent: u},
		{name: "the second unknown", policy: xPolicy(sim(bundle{ok, bad})), set: two, intent: u},
		{name: "the second not run in order", policy: xPolicy(sim(ok)), set: two, intent: u},
		{name: "stepwise, whole", policy: xPolicy(sim(bundle{ok, ok}), func(p *signing.Policy) { p.Stepwise = true }), set: two, intent: u},
		{name: "both take 300 in order", policy: xPolicy(sim(bundle{shows(nil, accs{xMyUSDC: myUSDC(500)}), shows(accs{xMyUSDC: myUSDC(500)}, accs{xMyUSDC: myUSDC(200)}).states()})), set: two, intent: u},
		{name: "both take 300, the second shown on the state before the first", policy: xPolicy(sim(bundle{shows(nil, accs{xMyUSDC: myUSDC(500)}), shows(nil, accs{xMyUSDC: myUSDC(500)}).states()})), set: two, intent: u},
		{name: "memo, then a drain whose simulation fails", policy: xPolicy(sim(bundle{ok, bad})), set: []xTx{v0(txbuild.Memo("x")), drain}, intent: u},
		{name: "neither simulation nor error", policy: xPolicy(sim(odd(func(s *signing.Simulation) { *s = signing.Simulation{} }))), set: one, intent: u},
		{name: "too few states before", policy: xPolicy(sim(odd(func(s *signing.Simulation) { s.Before = s.Before[1:] }))), set: one, intent: u},
		{name: "too many states after", policy: xPolicy(sim(odd(func(s *signing.Simulation) { s.After = append(s.After, state{}) }))), set: one, intent: u},
		{name: "no states after", policy: xPolicy(sim(odd(func(s *signing.Simulation) { s.After = nil }))), set: one, intent: u},
		{name: "a call under instruction 9", policy: xPolicy(sim(odd(func(s *signing.Simulation) { s.Inner = append(s.Inner, innerOf(9, txbuild.Memo("x"))) }))), set: one, intent: u},
		{name: "a call under instruction -1", policy: xPolicy(sim(odd(func(s *signing.Simulation) { s.Inner = append(s.Inner, innerOf(-1, txbuild.Memo("x"))) }))), set: one, intent: u},
		{name: "a call without data on ours", policy: xPolicy(sim(odd(func(s *signing.Simulation) {
			s.Inner = append(s.Inner, signing.InnerInstruction{Program: signing.TokenProgram, Accounts: []pk{xMyUSDC, xThief, xOwner}})
		}))), set: one, intent: u},
		{name: "a System call without data by us", policy: xPolicy(sim(odd(func(s *signing.Simulation) {
			s.Inner = append(s.Inner, signing.InnerInstruction{Program: signing.SystemProgram, Accounts: []pk{xOwner, xThief}})
		}))), set: one, intent: u},
		{name: "a call under an ATA create that takes ours", known: "no associated token program does that: a lying simulator", policy: xPolicy(sim(shows(nil, nil, xTok.SetAuthority(xMyUSDC, xOwner, 2, xThief)).at(0))),
			set: []xTx{v0(txbuild.CreateATA(xOwner, xMyJUP, xOwner, xJUP, signing.TokenProgram, true), call(xMyUSDC))}, intent: u},
		{name: "an owner who pays no fee", policy: xPolicy(sim(shows(nil, accs{xOwner: solNow(5_000_000_000)}))), set: one, intent: u},
		{name: "an owner who is not there", policy: xPolicy(sim(shows(accs{xOwner: {}}, accs{xOwner: {}}))), set: one, intent: u},
		{name: "SOL in the place of the fee arrives", policy: xPolicy(sim(shows(accs{xOwner: {}}, accs{xOwner: {}}))), set: one, intent: xIntent(gets(signing.NativeMint, 5000))},
		{name: "a resolver that fails", policy: xPolicy(sim(ok), func(p *signing.Policy) { p.Resolver = &reading{err: fmt.Errorf("down")} }), set: []xTx{{format: txbuild.V0, ins: []ins{call(xMyUSDC)}, tables: []txbuild.Table{{Address: outAddr("t"), Holds: []txbuild.Key{xMyUSDC}}}}}, intent: u},
		{name: "a resolver that does not know", policy: xPolicy(sim(ok), func(p *signing.Policy) { p.Resolver = &reading{} }), set: []xTx{{format: txbuild.V0, ins: []ins{call(xMyUSDC)}, tables: []txbuild.Table{{Address: outAddr("t"), Holds: []txbuild.Key{xMyUSDC}}}}}, intent: u},
		{name: "a resolver that knows one of two", policy: xPolicy(sim(ok), func(p *signing.Policy) { p.Resolver = &reading{tables: map[pk][]pk{outAddr("t"): {xMyUSDC}}} }), set: []xTx{{format: txbuild.V0, ins: []ins{call(xMyUSDC, outAddr("p2"))}, tables: []txbuild.Table{{Address: outAddr("t"), Holds: []txbuild.Key{xMyUSDC}}, {Address: outAddr("t2"), Holds: []txbuild.Key{outAddr("p2")}}}}}, intent: u},
		{name: "a table that holds a static key again", known: "the ledger refuses it (AccountLoadedTwice)", policy: xPolicy(sim(ok), func(p *signing.Policy) { p.Resolver = &reading{tables: map[pk][]pk{outAddr("t"): {xOwner}}} }), set: []xTx{{format: txbuild.V0, ins: []ins{call(xMyUSDC, outAddr("p2"))}, tables: []txbuild.Table{{Address: outAddr("t"), Holds: []txbuild.Key{outAddr("p2")}}}}}, intent: u},
		{name: "a table that holds ours twice", known: "the ledger refuses it (AccountLoadedTwice)", policy: xPolicy(sim(ok), func(p *signing.Policy) { p.Resolver = &reading{tables: map[pk][]pk{outAddr("t"): {xMyUSDC, xMyUSDC}}} }), set: []xTx{{format: txbuild.V0, ins: []ins{call(outAddr("p1"), outAddr("p2"))}, tables: []txbuild.Table{{Address: outAddr("t"), Holds: []txbuild.Key{outAddr("p1"), outAddr("p2")}}}}}, intent: u},
		{name: "P4 foreign rent of Token-2022 is added to what arrives", policy: xPolicy(sim(shows(nil, accs{xOwner: solNow(6_000_000_000 - 5000 - 2_074_080 - 170_000), signing.AssociatedTokenAddress(xFriend, xBONK, signing.Token2022Program): {Lamports: 2_074_080, Owner: signing.Token2022Program, Data: held(signing.Token2022Program, xBONK, xFriend, 0).Data}}))),
			set:    []xTx{v0(txbuild.CreateATA(xOwner, signing.AssociatedTokenAddress(xFriend, xBONK, signing.Token2022Program), xFriend, xBONK, signing.Token2022Program, true), call(xMyUSDC))},
			intent: xIntent(gets(signing.NativeMint, 1_000_000_000), func(i *walletfi.Intent) { i.MaxForeignRentLamports = 3_000_000 })},
	})
}

type twisted struct {
	of     *shown
	change func(*signing.Simulation)
}
