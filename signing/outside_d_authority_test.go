package signing_test

import (
	"encoding/binary"
	"testing"

	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestOutsideDAuthorities: what a key of ours has authority over, by states alone above all.
func TestOutsideDAuthorities(t *testing.T) {
	mint, other, friends, program := outAddr("their mint"), outAddr("their account"), outAddr("friend's bonk"),
		outAddr("program data")
	upgradeable := func(by pk) state {
		d := make([]byte, 45)
		d[0], d[12] = 3, 1
		copy(d[13:], by[:])
		return state{Lamports: 10_000_000, Owner: signing.UpgradeableLoader, Data: append(d, 1, 2, 3)}
	}
	table := func(by pk, n byte) state {
		d := make([]byte, 56)
		d[0], d[21] = 1, 1
		copy(d[22:], by[:])
		return state{Lamports: 10_000_000, Owner: signing.LookupTableProgram, Data: append(d, n)}
	}
	vote := func(by pk) state {
		d := make([]byte, 3762)
		d[0] = 2
		copy(d[4+32:], by[:])
		return state{Lamports: 27_000_000, Owner: signing.VoteProgram, Data: d}
	}
	buffer := func(by pk) state {
		d := make([]byte, 37)
		d[0], d[4] = 1, 1
		copy(d[5:], by[:])
		return state{Lamports: 10_000_000, Owner: signing.UpgradeableLoader, Data: append(d, 9)}
	}
	v4 := func(by pk) state {
		d := make([]byte, 48)
		copy(d[8:], by[:])
		return state{Lamports: 10_000_000, Owner: signing.LoaderV4, Data: append(d, 9)}
	}
	stake := func(staker, withdrawer pk) state {
		d := make([]byte, 200)
		d[0] = 2
		copy(d[12:], staker[:])
		copy(d[44:], withdrawer[:])
		return state{Lamports: 2_000_000_000, Owner: signing.StakeProgram, Data: d}
	}
	key32 := func(k pk) []byte { return k[:] }
	feeConfig := func(config, withdraw pk, withheld uint64) []byte {
		d := make([]byte, 108)
		copy(d, config[:])
		copy(d[32:], withdraw[:])
		binary.LittleEndian.PutUint64(d[64:], withheld)
		return tlv(1, d...)
	}
	two := func(a, b pk) []byte { return append(append([]byte{}, a[:]...), b[:]...) }
	acc := func(owner pk, n uint64, by ...func([]byte)) state {
		return held(signing.TokenProgram, mint, owner, n, by...)
	}
	// A change shown by states, and by calls that are told: of what the token program does there is always one.
	named := func(name string, before, after accs) trial {
		return trial{name: name, intent: dSwap, start: before, inner: swaps(), pokes: pokes(after),
			modes: []string{"states", "second"}}
	}
	honest := func(w trial) trial { w.honest = true; return w }
	alone := func(w trial) trial { w.alone = true; w.name += ", no reader"; return w }
	told := func(name string, start accs, calls ...ins) trial {
		return trial{name: name, intent: dSwap, start: start, inner: swaps(calls...)}
	}
	calls := func(name string, start accs, calls ...ins) trial {
		w := told(name, start, calls...)
		w.modes = []string{"told", "second told", "step"}
		return w
	}
	empty := accs{mint: mintWith(pk{}, pk{}, 9)}
	list := []trial{
		named("A1 a stake of ours is handed over", accs{other: stake(xOwner, xOwner)},
			accs{other: stake(xThief, xThief)}),
		named("A2 only its staker", accs{other: stake(xOwner, xOwner)}, accs{other: stake(xThief, xOwner)}),
		named("A3 a stake of which we are the withdrawer alone is emptied", accs{other: stake(xFriend, xOwner)},
			accs{other: {}}),
		named("A5 a program of ours is handed over", accs{program: upgradeable(xOwner)},
			accs{program: upgradeable(xThief)}),
		named("A6 a buffer of ours is handed over", accs{program: buffer(xOwner)}, accs{program: buffer(xThief)}),
		named("A7 a buffer of ours is closed", accs{program: buffer(xOwner)}, accs{program: {}}),
		named("A8 a program of loader v4 is handed over", accs{program: v4(xOwner)}, accs{program: v4(xThief)}),
		named("A9 a lookup table of ours is closed", accs{other: table(xOwner, 1)}, accs{other: {}}),
		named("A10 a vote account of ours is handed over", accs{other: vote(xOwner)}, accs{other: vote(xThief)}),
		named("A12 a mint of ours is handed over", accs{mint: mintWith(xOwner, pk{}, 9)},
			accs{mint: mintWith(xThief, pk{}, 9)}),
		named("A13 its freeze authority is", accs{mint: mintWith(pk{}, xOwner, 9)},
			accs{mint: mintWith(pk{}, xThief, 9)}),
		named("A14 its close authority is", accs{mint: mintWith(pk{}, pk{}, 9, tlv(3, key32(xOwner)...))},
			accs{mint: mintWith(pk{}, pk{}, 9, tlv(3, key32(xThief)...))}),
		named("A15 its permanent delegate is", accs{mint: mintWith(pk{}, pk{}, 9, tlv(12, key32(xOwner)...))},
			accs{mint: mintWith(pk{}, pk{}, 9, tlv(12, key32(xThief)...))}),
		named("A16 its hook changes by our authority",
			accs{mint: mintWith(pk{}, pk{}, 9, tlv(14, two(xOwner, pk{})...))},
			accs{mint: mintWith(pk{}, pk{}, 9, tlv(14, two(xOwner, xRogue)...))}),
		named("A17 what it withheld is withdrawn by our authority",
			accs{mint: mintWith(pk{}, pk{}, 9, feeConfig(pk{}, xOwner, 900))},
			accs{mint: mintWith(pk{}, pk{}, 9, feeConfig(pk{}, xOwner, 0))}),
		named("A18 its fee changes by our authority", accs{mint: mintWith(pk{}, pk{}, 9, feeConfig(xOwner, pk{}, 0))},
			accs{mint: mintWith(pk{}, pk{}, 9, feeConfig(xOwner, pk{}, 1))}),
		named("A19 its interest authority is handed over",
			accs{mint: mintWith(pk{}, pk{}, 9, tlv(10, append(key32(xOwner), make([]byte, 20)...)...))},
			accs{mint: mintWith(pk{}, pk{}, 9, tlv(10, append(key32(xThief), make([]byte, 20)...)...))}),
		named("A20 its pause authority is handed over",
			accs{mint: mintWith(pk{}, pk{}, 9, tlv(26, append(key32(xOwner), 0)...))},
			accs{mint: mintWith(pk{}, pk{}, 9, tlv(26, append(key32(xThief), 0)...))}),
		named("A21 its metadata pointer is ours, and changes",
			accs{mint: mintWith(pk{}, pk{}, 9, tlv(18, two(xOwner, mint)...))},
			accs{mint: mintWith(pk{}, pk{}, 9, tlv(18, two(xOwner, xRogue)...))}),
		{name: "A22b the mint is among the accounts, read only", intent: dSwap, modes: []string{"states", "second"},
			readonly: []pk{mint}, start: accs{mint: mintWith(pk{}, pk{}, 9, tlv(12, key32(xOwner)...)),
				friends: held(signing.Token2022Program, mint, xFriend, 900),
				other:   held(signing.Token2022Program, mint, xThief, 0)}, inner: swaps(),
			pokes: pokes{friends: held(signing.Token2022Program, mint, xFriend, 0),
				other: held(signing.Token2022Program, mint, xThief, 900)}},
		{name: "A22c an account of another is frozen by our authority, the mint read only", intent: dSwap,
			modes: []string{"states", "second"}, readonly: []pk{mint},
			start: accs{mint: mintWith(pk{}, xOwner, 9), friends: held(signing.Token2022Program, mint, xFriend, 900)},
			inner: swaps(), pokes: pokes{friends: held(signing.Token2022Program, mint, xFriend, 900,
				func(d []byte) { d[108] = 2 })}},
		{name: "A22e honest: another is the permanent delegate, and takes", intent: dSwap, honest: true,
			modes: []string{"states", "second"}, readonly: []pk{mint}, start: accs{
				mint:    mintWith(pk{}, xOwner, 9, tlv(12, key32(xThief)...)),
				friends: held(signing.Token2022Program, mint, xFriend, 900),
				other:   held(signing.Token2022Program, mint, xThief, 0)}, inner: swaps(),
			pokes: pokes{friends: held(signing.Token2022Program, mint, xFriend, 0),
				other: held(signing.Token2022Program, mint, xThief, 900)}},
		{name: "A22d honest: a pool's loses, its mint has no authority, read only", intent: dSwap, honest: true,
			modes: []string{"states", "second"}, readonly: []pk{mint},
			start: accs{mint: mintWith(pk{}, pk{}, 9), friends: held(signing.Token2022Program, mint, xFriend, 900),
				other: held(signing.Token2022Program, mint, xThief, 0)}, inner: swaps(),
			pokes: pokes{friends: held(signing.Token2022Program, mint, xFriend, 0),
				other: held(signing.Token2022Program, mint, xThief, 900)}},
		named("A23 we are the delegate of the friend's account",
			accs{other: acc(xFriend, 900, delegateTo(xOwner, 900))}, accs{other: acc(xFriend, 0)}),
		named("A24 we may close the friend's wrapped account", accs{other: dWSOL(xFriend, 900, closeBy(xOwner))},
			accs{other: {}}),
		named("A25 we made the mint, and it is minted", accs{mint: mintWith(xOwner, pk{}, 9)},
			accs{mint: mintWith(xOwner, pk{}, 99)}),
		named("A26 a nonce of ours is closed", accs{other: {Lamports: 1_500_000, Owner: signing.SystemProgram,
			Data: append([]byte{1, 0, 0, 0, 1, 0, 0, 0}, append(key32(xOwner), make([]byte, 40)...)...)}},
			accs{other: {}}),
		named("A27 a multisig account of ours is remade", accs{other: multisig(xOwner, xFriend)}, accs{other: {}}),
		honest(named("A28 honest: the pool's mint is minted", accs{mint: mintWith(dPool, pk{}, 9)},
			accs{mint: mintWith(dPool, pk{}, 99)})),
		honest(named("A29 honest: a friend's delegate takes", accs{other: acc(xFriend, 900, delegateTo(xThief, 900))},
			accs{other: acc(xFriend, 0)})),
		alone(func() trial {
			w := named("A30 a multisig of ours", accs{other: acc(friends, 900), friends: multisig(xOwner)},
				accs{other: acc(friends, 0)})
			w.readonly = []pk{friends}
			return w
		}()),
		alone(named("A31 a mint of ours is minted", accs{mint: mintWith(xOwner, pk{}, 9)},
			accs{mint: mintWith(xOwner, pk{}, 99)})),
		alone(honest(named("A32 honest: a swap alone", empty, accs{}))),
		calls("A33 a mint of ours is minted", accs{mint: mintWith(xOwner, pk{}, 9), other: acc(xThief, 0)},
			xT22.MintTo(mint, other, xOwner, 5)),
		told("A34 a friend's account is frozen by ours",
			accs{mint: mintWith(xOwner, xOwner, 9), other: acc(xFriend, 5)}, xT22.Freeze(other, mint, xOwner)),
		told("A35 our own account is frozen by the thief", accs{}, xTok.Freeze(xMyJUP, xJUP, xThief)),
		told("A36 we take of the friend's, as its delegate, for the thief",
			accs{other: dJUP(xFriend, 900, delegateTo(xOwner, 900))}, moveJUP(other, dThJUP, xOwner, 900)),
		told("A37 our token account is closed to the thief by its close authority, ours",
			accs{other: dJUP(xFriend, 0, closeBy(xOwner))}, xTok.Close(other, xThief, xOwner)),
		calls("A38 memo required", accs{}, xT22.Raw([]byte{30, 0}, txbuild.Writable(xMyBONK),
			txbuild.Signer(xOwner))),
		calls("A39 cpi guard off", accs{}, xT22.Raw([]byte{34, 1}, txbuild.Writable(xMyBONK),
			txbuild.Signer(xOwner))),
		calls("A40 confidential: deposit", accs{}, xT22.Raw(append([]byte{27, 5}, make([]byte, 9)...),
			txbuild.Writable(xMyBONK), txbuild.Readonly(xBONK), txbuild.Signer(xOwner))),
		calls("A41 confidential: transfer", accs{},
			xT22.Raw(append([]byte{27, 7}, make([]byte, 39)...), txbuild.Writable(xMyBONK), txbuild.Readonly(xBONK),
				txbuild.Writable(dThBONK), txbuild.Signer(xOwner))),
		calls("A42 reallocated", accs{}, xT22.Raw([]byte{29, 8, 0}, txbuild.Writable(xMyBONK),
			txbuild.WritableSigner(xOwner), txbuild.Readonly(signing.SystemProgram), txbuild.Signer(xOwner))),
		calls("A43 a stake is authorised", accs{other: stake(xOwner, xOwner)},
			txbuild.Call(signing.StakeProgram, append([]byte{1, 0, 0, 0}, append(key32(xThief), 1, 0, 0, 0)...),
				txbuild.Writable(other), txbuild.Readonly(outAddr("clock")), txbuild.Signer(xOwner))),
		calls("A44 a program is handed over", accs{program: upgradeable(xOwner)},
			txbuild.Call(signing.UpgradeableLoader, []byte{4, 0, 0, 0}, txbuild.Writable(program),
				txbuild.Signer(xOwner), txbuild.Readonly(xThief))),
		calls("A45 a nonce is authorised", accs{other: {Lamports: 1_500_000, Data: make([]byte, 80)}},
			txbuild.AuthorizeNonce(other, xOwner, xThief)),
		told("A46 the wallet is allocated", accs{}, txbuild.Allocate(xOwner, 9)),
		told("A47 the wallet is assigned", accs{}, txbuild.Assign(xOwner, xRogue)),
		{name: "A48 the wallet gets data", intent: dSwap, inner: swaps(),
			pokes: pokes{xOwner: {Lamports: dOwnerSOL - 5000, Data: make([]byte, 9)}}},
		{name: "A49 the wallet is a program's", intent: dSwap, inner: swaps(),
			pokes: pokes{xOwner: {Lamports: dOwnerSOL - 5000, Owner: xRogue}}},
		{name: "A50 confidential tokens of ours go", intent: dSwap,
			start: accs{xMyBONK: myBONK(10, tlv(5, make([]byte, 295)...))}, inner: swaps(),
			pokes: pokes{xMyBONK: myBONK(15, tlv(5, append(make([]byte, 294), 1)...))}},
		{name: "A51 our account asks for memos", intent: dSwap, start: accs{xMyBONK: myBONK(10, tlv(8, 0))},
			inner: swaps(), pokes: pokes{xMyBONK: myBONK(15, tlv(8, 1))}},
		{name: "A52 our account's cpi guard goes off", intent: dSwap, start: accs{xMyBONK: myBONK(10, tlv(11, 1))},
			inner: swaps(), pokes: pokes{xMyBONK: myBONK(15, tlv(11, 0))}},
		{name: "A53 honest: what is withheld in our account grows", intent: dSwap,
			start: accs{xMyBONK: myBONK(10, tlv(2, make([]byte, 8)...))},
			inner: []ins{moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500),
				xT22.TransferCheckedWithFee(dPoolBONK, xBONK, xMyBONK, dPool, 7, 6, 2)},
			pokes: pokes{xMyBONK: myBONK(15, tlv(2, 2, 0, 0, 0, 0, 0, 0, 0))}, honest: true},
		{name: "A54 honest: an account with a hook's mark", intent: dSwap,
			start: accs{xMyBONK: myBONK(10, tlv(7), tlv(15, 0))}, inner: swaps(), honest: true},
	}
	runTrials(t, list)
}

// TestOutsideDVaults: accounts that the caller lists.
func TestOutsideDVaults(t *testing.T) {
	vault := policies(listed(dVault, pk{}))
	settings := policies(listed(dVault, pk{}), listed(dOrder, pk{}))
	funded := accs{dVault: solNow(10_000_000_000)}
	ofProgram := accs{dVault: {Lamports: 10_000_000_000, Owner: xProg, Data: make([]byte, 50)}}
	runTrials(t, []trial{
		{name: "V1 assigned", intent: dSwap, policy: vault, start: funded,
			inner: swaps(txbuild.Assign(dVault, xRogue))},
		{name: "V2 allocated, so that it cannot pay", intent: dSwap, policy: vault, start: funded,
			inner: swaps(txbuild.Allocate(dVault, 9))},
		{name: "V3 by a program that tells nothing: data", intent: dSwap, policy: vault, start: funded,
			inner: swaps(), pokes: pokes{dVault: {Lamports: 10_000_000_000, Data: make([]byte, 9)}},
			modes: []string{"states", "second"}},
		{name: "V4 by a program that tells nothing: another's", intent: dSwap, policy: vault, start: funded,
			inner: swaps(), pokes: pokes{dVault: {Lamports: 10_000_000_000, Owner: xRogue}},
			modes: []string{"states", "second"}},
		{name: "V5 it pays the thief", intent: dSwap, policy: vault, start: funded,
			inner: swaps(txbuild.Transfer(dVault, xThief, 1))},
		{name: "V6 honest: it pays us", intent: dSwap, policy: vault, start: funded,
			inner: swaps(txbuild.Transfer(dVault, xOwner, 1_000_000_000)), honest: true},
		{name: "V7 it pays us, and we the thief", intent: dSwap, policy: vault, start: funded,
			inner: swaps(txbuild.Transfer(dVault, xOwner, 1_000_000_000),
				txbuild.Transfer(xOwner, xThief, 1_000_000_000))},
		{name: "V8 honest: we pay it", intent: dSwap, policy: vault, start: funded,
			inner: swaps(txbuild.Transfer(xOwner, dVault, 1_000_000_000)), honest: true},
		{name: "V9 its JUP goes", intent: dSwap, policy: vault,
			start: accs{dVault: solNow(9), dVaultJUP: dJUP(dVault, 900)},
			inner: swaps(moveJUP(dVaultJUP, dThJUP, dVault, 900))},
		{name: "V10 its JUP comes to us, and goes", intent: dSwap, policy: vault,
			start: accs{dVault: solNow(9), dVaultJUP: dJUP(dVault, 900)},
			inner: swaps(moveJUP(dVaultJUP, xMyJUP, dVault, 900), moveJUP(xMyJUP, dThJUP, xOwner, 900))},
		{name: "V11 honest: its JUP comes to us", intent: dSwap, policy: vault,
			start: accs{dVault: solNow(9), dVaultJUP: dJUP(dVault, 900)},
			inner: swaps(moveJUP(dVaultJUP, xMyJUP, dVault, 900)), honest: true},
		{name: "V12 its JUP account gets a delegate", intent: dSwap, policy: vault,
			start: accs{dVault: solNow(9), dVaultJUP: dJUP(dVault, 900)},
			inner: swaps(xTok.Approve(dVaultJUP, xThief, dVault, 900))},
		{name: "V13 its JUP account becomes the thief's", intent: dSwap, policy: vault,
			start: accs{dVault: solNow(9), dVaultJUP: dJUP(dVault, 900)},
			inner: swaps(xTok.SetAuthority(dVaultJUP, dVault, 2, xThief))},
		{name: "V14 its JUP is burned", intent: dSwap, policy: vault,
			start: accs{dVault: solNow(9), dVaultJUP: dJUP(dVault, 900)},
			inner: swaps(xTok.Burn(dVaultJUP, xJUP, dVault, 900))},
		{name: "V15 its empty JUP account closes to the thief", intent: dSwap, policy: vault,
			start: accs{dVault: solNow(9), dVaultJUP: dJUP(dVault, 0)},
			inner: swaps(xTok.Close(dVaultJUP, xThief, dVault))},
		{name: "V16 its wrapped SOL closes to the thief", intent: dSwap, policy: vault,
			start: accs{dVault: solNow(9), dAux: dWSOL(dVault, 900_000_000)},
			inner: swaps(xTok.Close(dAux, xThief, dVault))},
		{name: "V17 its settings name the thief", intent: dSwap, policy: settings,
			start: accs{dVault: solNow(9), dOrder: kept(xProg, 1, xOwner)}, inner: swaps(),
			pokes: pokes{dOrder: kept(xProg, 1, xThief)}},
		{name: "V18 honest: its settings count", intent: dSwap, policy: settings,
			start: accs{dVault: solNow(9), dOrder: kept(xProg, 1, xOwner)}, inner: swaps(),
			pokes: pokes{dOrder: kept(xProg, 2, xOwner)}, honest: true},
		{name: "V19 a program's vault is another program's", intent: dSwap, policy: vault, start: ofProgram,
			inner: swaps(), pokes: pokes{dVault: {Lamports: 10_000_000_000, Owner: xRogue, Data: make([]byte, 50)}}},
		{name: "V20 a program's vault pays the thief", intent: dSwap, policy: vault, start: ofProgram, inner: swaps(),
			pokes: pokes{dVault: {Lamports: 9_000_000_000, Owner: xProg, Data: make([]byte, 50)},
				xThief: solNow(2_000_000_000)}},
		{name: "V21 a program's vault is closed to us, and pays the thief", intent: dSwap, policy: vault,
			start: ofProgram, inner: swaps(), pokes: pokes{dVault: {}, xThief: solNow(6_000_000_000),
				xOwner: solNow(dOwnerSOL - 5000 + 5_000_000_000)}},
		{name: "V22 honest: a program's vault pays us", intent: dSwap, policy: vault, start: ofProgram,
			inner: swaps(), pokes: pokes{dVault: {Lamports: 9_000_000_000, Owner: xProg, Data: make([]byte, 50)},
				xOwner: solNow(dOwnerSOL - 5000 + 1_000_000_000)}, honest: true},
		{name: "V23 honest: a vault is made, first time", intent: dSwap, policy: vault,
			inner: swaps(txbuild.CreateAccount(xOwner, dVault, 6960*(128+50), 50, xProg)), honest: true},
		{name: "V24 a vault is made by another program, and filled with 3 SOL", intent: dSwap, policy: vault,
			inner: swaps(txbuild.CreateAccount(xOwner, dVault, 3_000_000_000, 50, xRogue))},
		{name: "V25 3 SOL go to a vault that is made the thief's token account", intent: dSwap, policy: vault,
			inner: swaps(txbuild.CreateAccount(xOwner, dVault, 3_000_000_000, 165, signing.TokenProgram),
				xTok.InitializeAccount3(dVault, dSOL, xThief))},
		{name: "V26 a funded vault becomes the thief's wrapped SOL", intent: dSwap, policy: vault, start: funded,
			inner: swaps(), pokes: pokes{dVault: dWSOL(xThief, 10_000_000_000-xRent)}},
		{name: "V27 a funded vault becomes our wrapped SOL, which the thief may close", intent: dSwap, policy: vault,
			start: funded, inner: swaps(), pokes: pokes{dVault: dWSOL(xOwner, 10_000_000_000-xRent,
				closeBy(xThief))}},
		{name: "V28 a listed position of ours is handed over", intent: dSwap, policy: settings,
			start: accs{dVault: solNow(9), dOrder: kept(xProg, 1, xPool, xOwner)}, inner: swaps(),
			pokes: pokes{dOrder: kept(xProg, 1, xPool, xThief)}},
		{name: "V29 a listed position of ours is emptied of its SOL, to the thief", intent: dSwap, policy: settings,
			start: accs{dVault: solNow(9), dOrder: {Lamports: 3_000_000_000, Owner: xProg, Data: xOwner[:]}},
			inner: swaps(), pokes: pokes{dOrder: {Lamports: 2_000_000, Owner: xProg, Data: xOwner[:]},
				xThief: solNow(3_998_000_000)}},
		{name: "V30 the thief may close its JUP account", intent: dSwap, policy: vault, start: accs{dVault: solNow(9),
			dVaultJUP: dJUP(dVault, 900)}, inner: swaps(xTok.SetAuthority(dVaultJUP, dVault, 3, xThief))},
		{name: "V31 the thief may close its wrapped SOL, with all that is in it", intent: dSwap, policy: vault,
			start: accs{dVault: solNow(9), dAux: dWSOL(dVault, 900_000_000)},
			inner: swaps(xTok.SetAuthority(dAux, dVault, 3, xThief))},
		{name: "V33 it is frozen", intent: dSwap, policy: vault, start: accs{dVault: solNow(9),
			dVaultJUP: dJUP(dVault, 900)}, inner: swaps(xTok.Freeze(dVaultJUP, xJUP, xThief))},
		{name: "V33b its JUP goes into a new account of ours, which is frozen", intent: dSwap, policy: vault,
			start: accs{dVault: solNow(9), dVaultJUP: dJUP(dVault, 900)}, inner: swaps(append(
				makes(xOwner, dAux, xJUP, xOwner), moveJUP(dVaultJUP, dAux, dVault, 900),
				xTok.Freeze(dAux, xJUP, xThief))...)},
		{name: "V33c honest: it goes into a new account of ours", intent: dSwap, policy: vault, honest: true,
			start: accs{dVault: solNow(9), dVaultJUP: dJUP(dVault, 900)}, inner: swaps(append(
				makes(xOwner, dAux, xJUP, xOwner), moveJUP(dVaultJUP, dAux, dVault, 900))...)},
		{name: "V33d honest: what is bought comes into a new account, which is frozen", honest: true,
			intent: intents(gets(xJUP, 5)), start: accs{xMyJUP: {}}, modes: []string{"states", "second"},
			inner: []ins{txbuild.CreateATA(xOwner, xMyJUP, xOwner, xJUP, signing.TokenProgram, true),
				moveUSDC(xMyUSDC, dPoolUSDC, xOwner, 500)},
			pokes: pokes{xMyJUP: dJUP(xOwner, 5, func(d []byte) { d[108] = 2 })}},
		{name: "V34 a new account of its own, which the thief may close, gets its SOL", intent: dSwap, policy: vault,
			start: accs{dVault: solNow(3_000_000_000)}, inner: swaps(
				txbuild.CreateAccount(dVault, dAux, 2_000_000_000, 165, signing.TokenProgram),
				xTok.InitializeAccount3(dAux, dSOL, dVault), xTok.SetAuthority(dAux, dVault, 3, xThief))},
		{name: "V35 our SOL goes into the vault's wrapped account, which the thief may close", intent: dSwap,
			policy: vault,
			start:  accs{dVault: solNow(9), dAux: dWSOL(dVault, 0, closeBy(xThief))}, inner: swaps(
				txbuild.Transfer(xOwner, dAux, 2_000_000_000), xTok.SyncNative(dAux))},
		{name: "V36 honest: our JUP goes into the vault's account", honest: true, intent: dSwap, policy: vault,
			start: accs{dVault: solNow(9), dVaultJUP: dJUP(dVault, 0)},
			inner: swaps(moveJUP(xMyJUP, dVaultJUP, xOwner, 9))},
	})
}
