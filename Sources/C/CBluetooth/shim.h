#ifndef MDHOST_CBLUETOOTH_SHIM_H
#define MDHOST_CBLUETOOTH_SHIM_H

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

// A socket that asks about controllers and needs no right, or -1.
static inline int bluetooth_control_socket(void) { return socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI); }

// Numbers of the controllers the kernel has, at most HCI_MAX_DEV; how many, or -1.
static inline int bluetooth_controllers(int control, uint16_t numbers[HCI_MAX_DEV]) {
    struct hci_dev_list_req *list =
        (struct hci_dev_list_req *)calloc(1, sizeof *list + HCI_MAX_DEV * sizeof(struct hci_dev_req));
    if (list == NULL) return -1;
    list->dev_num = HCI_MAX_DEV;
    int count = ioctl(control, HCIGETDEVLIST, (void *)list) < 0 ? -1 : (int)list->dev_num;
    for (int index = 0; index < count; index++) numbers[index] = list->dev_req[index].dev_id;
    const int failure = errno;
    free(list);
    errno = failure;
    return count;
}

static inline int bluetooth_controller(int control, uint16_t number, struct hci_dev_info *information) {
    information->dev_id = number;
    return ioctl(control, HCIGETDEVINFO, (void *)information);
}

static const int bluetooth_most_controllers = HCI_MAX_DEV;
static const uint32_t bluetooth_flag_up = 1u << HCI_UP;

#endif
