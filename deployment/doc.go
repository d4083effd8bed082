// Package deployment says what a vendor's services differ in from the
// documentation: words, places, shapes and forms. All clients take a [Deployment] in
// their options:
//
//	acme, err := deployment.Load("acme.json")
//	if err != nil {
//		return err // file, line and word
//	}
//	options := walletfi.Options{Deployment: acme}
//	client, err := swap.New(swap.Config{APIKey: key, Options: options})
//
// Load reads the file that docs/deployment-file.md describes. Each word is held
// against the documentation. A Deployment holds no secret.
package deployment
