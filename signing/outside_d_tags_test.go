package signing_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestOutsideDTags: every instruction of the programs that have rules, called within a pinned call with our
// signature and of accounts of ours, while no state shows what it does.
func TestOutsideDTags(t *testing.T) {
	token := func(program pk, account, mint pk, data ...byte) ins {
		return txbuild.Token{Program: program}.Raw(append(data, make([]byte, 80)...), txbuild.Writable(account),
			txbuild.Writable(mint), txbuild.Writable(xThief), txbuild.WritableSigner(xOwner), txbuild.Signer(xOwner))
	}
	var signed []string
	one := func(name string, i ins) {
		w := trial{name: name, intent: dSwap, inner: swaps(i), modes: []string{"told"}}
		a := w.attempts()[0]
		s := a.policy.Simulator.(*script)
		s.set[0].inner = swaps()
		s.changes = func(_ int, shown *signing.Simulation) { shown.Inner = append(shown.Inner, innerOf(0, i)) }
		outCount++
		if ok, _, _ := a.run(t.Context()); ok {
			signed = append(signed, name)
		}
	}
	for _, tag := range append(byteRange(50), 99, 254, 255) {
		one(fmt.Sprint("Token ", tag), token(signing.TokenProgram, xMyJUP, xJUP, byte(tag)))
		one(fmt.Sprint("Token-2022 ", tag), token(signing.Token2022Program, xMyBONK, xBONK, byte(tag)))
	}
	for _, tag := range []byte{26, 27, 28, 30, 33, 34, 36, 37, 39, 40, 41, 42, 43, 44} {
		for sub := range 12 {
			one(fmt.Sprint("Token-2022 ", tag, "/", sub),
				token(signing.Token2022Program, xMyBONK, xBONK, tag, byte(sub)))
		}
	}
	for tag := range 14 {
		data := binary.LittleEndian.AppendUint32(nil, uint32(tag))
		data = append(data, make([]byte, 80)...)
		data[7], data[8] = 0x5e, 0xb2
		one(fmt.Sprint("System ", tag), txbuild.Call(signing.SystemProgram, data, txbuild.WritableSigner(xOwner),
			txbuild.WritableSigner(xThief), txbuild.Writable(xThief)))
		for _, p := range []pk{signing.StakeProgram, signing.VoteProgram, signing.UpgradeableLoader,
			signing.LookupTableProgram, signing.LoaderV4} {
			one(fmt.Sprint(signing.ProgramName(p), " ", tag),
				txbuild.Call(p, data, txbuild.Writable(xThief), txbuild.WritableSigner(xOwner)))
		}
	}
	// Amounts of nothing, initialisations that the chain refuses of an account that is one already, and
	// SOL that goes while the states show none gone: it can come from programs without a call.
	nothing := []string{"System 2", "System 11", "Token-2022 26/1", "Token-2022 26/4"}
	for _, tag := range []int{0, 1, 3, 5, 8, 12, 15, 16, 17, 18, 20, 21, 22, 23, 24, 255} {
		nothing = append(nothing, fmt.Sprint("Token ", tag), fmt.Sprint("Token-2022 ", tag))
	}
	require.ElementsMatch(t, nothing, signed)
}

func byteRange(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}
