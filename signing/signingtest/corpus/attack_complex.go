package corpus

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// complexAttacks make it costly to find out that the caps do not hold.
func (k *cast) complexAttacks() []technique {
	var all []technique
	for _, f := range txbuild.Formats {
		t := k.attack("too.complex", "a set that takes years to match, "+f.String(), "have the guard give up or give in")
		t.scene.txs = nil
		// Each of the transfers may be the spend, the tip or the fee; one too many
		// is only found by trying all.
		part := k.spend / 310
		for range 16 {
			t.scene.txs = append(t.scene.txs, transaction{
				Transaction: k.build(times(20, txbuild.Transfer(k.owner, k.friend, part))...),
			})
		}
		t.scene.intent.TipLamports = walletfi.Amount(3 * part)
		t.scene.intent.ServiceFee = []walletfi.Asset{some(txbuild.NativeMint, 3*part)}
		all = append(all, t.of(f))
	}
	return all
}
