package corpus

import (
	"encoding/binary"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// strict are honest transactions next to what the parser, the search of the
// caps and the simulator refuse.
func (k *cast) strict() []shape {
	trade := k.swapCall(k.ourUSDC, k.ourBonk)
	tampered := func(tamper func(txbuild.Format, []byte) []byte) func(*scene) {
		return func(s *scene) { s.last().tamper = tamper }
	}
	all := []shape{
		k.honest("swap", "a memo of every byte there is room for", trade, txbuild.Memo("to the last byte")).
			spends(k.usdc, k.spendUSDC).
			spoiledBy("G1", "and a byte behind it",
				tampered(func(_ txbuild.Format, raw []byte) []byte { return append(raw, 0) })),
		k.honest("amm", "a version that is known", trade, txbuild.Memo("version")).spends(k.usdc, k.spendUSDC).
			spoiledBy("G2", "the next one", tampered(func(f txbuild.Format, raw []byte) []byte {
				raw[0] = 0x82
				return raw
			})),
		k.honest("lending", "an account named twice by one call",
			k.trade(txbuild.Writable(k.pool), txbuild.Readonly(k.pool), txbuild.Readonly(k.vault))).
			spoiledBy("G3", "twice among the keys", tampered(replaced(k.vault, k.pool))),
		k.honest("swap", "a simulated swap that changes nothing", trade, txbuild.Memo("as it was")).
			spends(k.usdc, k.spendUSDC).with(k.holding(nil, "")).
			spoiledBy("simulation.authority", "but a delegate", k.holding(&k.thief, "")),
		k.honest("amm", "a simulated swap that succeeds", trade, txbuild.Memo("succeeds")).spends(k.usdc, k.spendUSDC).
			with(k.holding(nil, "")).with(leading).
			spoiledBy("simulation.failed", "that would fail", k.holding(nil, "custom program error: 0x1")),
	}
	for _, f := range txbuild.Formats {
		all = append(all, k.matched(f))
	}
	return all
}

func leading(s *scene) { s.last().leads = true }

// holding simulates our account of usdc as it was, with a delegate or without.
func (k *cast) holding(delegate *Key, failure string) func(*scene) {
	was := tokenState(spl.Program, k.usdc, k.owner, 9)
	is := was
	if delegate != nil {
		is = is.optionally(72, *delegate)
		binary.LittleEndian.PutUint64(is.Data[121:], 9)
	}
	return func(s *scene) {
		m := change(k.ourUSDC, was, is)
		m.Err = failure
		s.last().simulation = &m
	}
}

// matched is a set of as many transfers as the attack that is too complex, with
// room for all of them.
func (k *cast) matched(f txbuild.Format) shape {
	h := k.honest("smartaccount", "three hundred and twenty transfers, "+f.String())
	part := k.spend / 310
	h.scene.txs = nil
	for range 16 {
		h.scene.txs = append(h.scene.txs, transaction{
			Transaction: k.build(times(20, txbuild.Transfer(k.owner, k.friend, part))...),
		})
	}
	h.scene.last().needs = &f
	return h.spends(txbuild.NativeMint, 320*part).tips(3*part).charges(txbuild.NativeMint, 3*part).pays(k.friend).
		spoiledBy("too.complex", "ten parts less to spend", func(s *scene) {
			s.intent.Spend[0].Amount -= walletfi.Amount(10 * part)
		})
}
