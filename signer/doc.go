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
//		Keys: []signing.Signer{key}, Nodes: []signer.Node{node},
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
// What leaves the owners within any window is at most the ceiling of the [Policy], for what
// the bytes of a transaction prove. What only a simulation shows is bounded by the ceiling plus
// the policy's exposure: all that the pinned programs may write, while such a transaction can
// land. Beyond what the policy lets pass without them, people sign a grant first: see package grant
// and [Signer.AskGrant]. A bot that trades often can have windows of turnover and loss instead: see [Trades].
// The intent that a client sends only narrows. What it cannot bound is in docs/signer.md.
package signer
