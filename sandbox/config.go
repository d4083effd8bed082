package sandbox

import "github.com/walletfi/walletfi-go/sandbox/play"

// What a sandbox takes, and what it returns about itself. Package play documents the
// fields; a program needs to import this package only.
type (
	// Config says how a sandbox behaves. The zero value is ready to use.
	Config = play.Config
	// ControlPort is an HTTP port of its own, through which programs in any language
	// use the controls of a [Sandbox]: a route for each method of the sandbox and of its
	// handles. GET /openapi.json describes the routes.
	ControlPort = play.ControlPort
	// Network says how the cluster takes transactions. Without one, a node executes
	// what it is sent at once.
	Network = play.Network
	// Node says how one node of a [Network] behaves.
	Node = play.Node
	// Fault describes what goes wrong with a request: see [Sandbox.Fault].
	Fault = play.Fault
	// Route is one route of a service. As an argument of [Sandbox.Fault] an empty
	// field means any.
	Route = play.Route
	// Violation is a request that no correct client sends: see [Sandbox.Violations].
	Violation = play.Violation
	// Delivery is one attempt to deliver a webhook: see [Sandbox.Deliveries].
	Delivery = play.Delivery
)
