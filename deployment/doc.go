// Package deployment describes how a vendor's services differ from the documentation:
// in words, places, shapes and forms. All clients take a [Deployment] in their options:
//
//	acme, err := deployment.Load("acme.json")
//	if err != nil {
//		return err // file, line and word
//	}
//	options := walletfi.Options{Deployment: acme}
//	client, err := swap.New(swap.Config{APIKey: key, Options: options})
//
// [Load] reads the file that docs/deployment-file.md describes; [Skeleton] writes one to
// begin with. Each word is held against the documentation, and each mistake is an
// [Error] that names file, line and word. A Deployment holds no secret.
package deployment
