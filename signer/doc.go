// Package signer is a process that holds the keys, with ceilings of its own that no client
// can raise. It believes no one who asks: not the program that trades, not a service, and no
// single node.
//
//	policy, err := signer.LoadPolicy("policy.toml")
//	if err != nil {
//		return err
//	}
//	s, err := signer.Open(ctx, signer.Config{
//		Policy: policy, Store: "signer.db", Anchor: "signer.anchor", LogKey: logKey,
//		Keys: []signing.Signer{key}, Nodes: []signer.Node{signer.RPCNode(node)},
//	})
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//	return s.ServeUnix(ctx, "/run/walletfi/signer.sock")
//
// A program asks it through package client, which is a signing.SetSigner, so that a wallet
// uses it as its Signer. The command walletfi-signer is this program.
//
// # What it bounds
//
// What leaves the owners within any window is at most the ceiling of the [Policy], which a
// person wrote, for what the bytes of a transaction prove. What only a simulation shows is
// bounded by the ceiling plus the policy's exposure: all that the pinned programs may write,
// while such a transaction can land. The intent that a client sends only narrows.
//
// It does not bound what a pinned program does on chain that it did not do in the simulation,
// beyond the exposure as it was measured before the signature: what arrives in the accounts
// afterwards, while the transaction is live, is within its reach too. Nor does it bound what
// a program does with what it holds, and it has no help against root on its machine.
//
// # How a request is decided
//
//   - The guard of package signing checks the set, as it is and each transaction as if it
//     were sent alone, against the intent cut down to the policy's lists, by the signer's own
//     nodes. Most of the nodes must answer, and none may refuse.
//   - What leaves, gross and for each transaction, becomes a debit per mint: the greatest
//     that any node showed. Fees, tips and rent are debits of SOL.
//   - One transaction of the store checks the freeze, the policy's fingerprint and every
//     window, and writes the debits and an entry of the log. Only when it is durable is the
//     message signed, and the signature verified before it leaves.
//
// A debit counts at any age until the signer's own nodes prove its transaction landed or
// dead. Landed, it ages from when the signer saw that it was finalized. A landed failure
// gives the amount back, and never fee, tip and rent. Death is believed from at least two
// nodes; with one, the debit counts for the longest window more.
//
// # What it refuses
//
// Durable nonces, approvals that outlast their transaction, programs that are not pinned,
// payees, fee receivers, co-signers and sponsors that the policy does not list, and a mint
// without a ceiling. See [Policy].
package signer
