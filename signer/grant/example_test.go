package grant_test

import (
	"crypto/ed25519"
	"fmt"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer/grant"
	"golang.org/x/crypto/ssh"
)

// An approver reads the text, and signs that and nothing else.
func Example() {
	g := grant.Grant{
		ID: "7f1c", Signer: "a0b1", Policy: "c2d3", Client: "backend", Owner: "treasury", Key: "9xQe",
		Most: []grant.Amount{{Mint: walletfi.NativeMint, Amount: 1_500_000_000}}, Payees: []string{"7xKX"},
		Fees: grant.Fees{Network: 10_000}, Reason: "rent", Needs: 2,
		Made: time.Unix(1_800_000_000, 0), Expires: time.Unix(1_800_003_600, 0),
	}
	fmt.Print(g.Text())
	ann, err := ssh.NewSignerFromKey(ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))) // or one of an agent's
	if err != nil {
		panic(err)
	}
	signature, err := g.Sign(ann, grant.Approves)
	if err != nil {
		panic(err)
	}
	_, says, err := g.Verify(signature, []ssh.PublicKey{ann.PublicKey()})
	fmt.Println("ann", says, err)
	// Output:
	// GRANT "7f1c" of signer "a0b1", under policy "c2d3".
	// Client "backend" may have one set of transactions signed, once, until "2027-01-15 09:00:00 UTC",
	// by owner "treasury", whose key is "9xQe", built by service "".
	// At most this leaves the owner:
	// - 1500000000 lamports, which are 1.500000000 SOL
	// At most this is paid besides: network fees 10000, tips 0, rent 0, rent for others 0 lamports.
	// It may go to:
	// - "7xKX"
	// These programs may be called:
	// - none but those that move, make and close accounts as is shown above
	// The client's reason, which nobody has checked: "rent"
	// Asked for at "2027-01-15 08:00:00 UTC". It needs 2 approvers.
	// ann approves <nil>
}
