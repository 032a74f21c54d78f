// Program cancel_reports_fixed: Whether the time was over is asked of the context.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[1])
	cmd.Stdout = os.Stdout
	fmt.Println(cmd.Run())
	if ctx.Err() != nil {
		fmt.Println("the time was over")
	}
}
